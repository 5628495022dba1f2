CREATE INDEX "board_invitations_letters" ON "board_invitations" USING gin ("email" gin_trgm_ops) WHERE "board_invitations"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "boards_letters" ON "boards" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_username_letters" ON "users" USING gin ("username" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_name_letters" ON "users" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_email_letters" ON "users" USING gin ("email" gin_trgm_ops);
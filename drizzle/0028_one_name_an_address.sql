ALTER TABLE "board_invitations" DROP CONSTRAINT "board_invitations_status";--> statement-breakpoint
DROP INDEX "users_names_of_board";--> statement-breakpoint
-- Of the names of a board with one address the first keeps it; the board's creator can have people asked about the others.
UPDATE "users" AS "later" SET "imported_email" = NULL FROM "users" AS "first"
	WHERE "later"."imported_on" = "first"."imported_on" AND "later"."imported_email" = "first"."imported_email" AND "later"."id" > "first"."id";--> statement-breakpoint
CREATE UNIQUE INDEX "users_names_of_board" ON "users" USING btree ("imported_on","imported_email") WHERE "users"."imported_on" is not null;--> statement-breakpoint
ALTER TABLE "board_invitations" ADD CONSTRAINT "board_invitations_status" CHECK ("board_invitations"."status" in ('pending', 'accepted', 'declined', 'revoked'));
ALTER INDEX "board_invitations_letters" SET (fastupdate = false);--> statement-breakpoint
ALTER INDEX "boards_letters" SET (fastupdate = false);--> statement-breakpoint
ALTER INDEX "users_username_letters" SET (fastupdate = false);--> statement-breakpoint
ALTER INDEX "users_name_letters" SET (fastupdate = false);--> statement-breakpoint
ALTER INDEX "users_email_letters" SET (fastupdate = false);--> statement-breakpoint
SELECT gin_clean_pending_list('board_invitations_letters'), gin_clean_pending_list('boards_letters'), gin_clean_pending_list('users_username_letters'), gin_clean_pending_list('users_name_letters'), gin_clean_pending_list('users_email_letters');

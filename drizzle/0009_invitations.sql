ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind";--> statement-breakpoint
CREATE INDEX "board_invitations_board_id_index" ON "board_invitations" USING btree ("board_id");--> statement-breakpoint
CREATE INDEX "board_invitations_accepted_by_index" ON "board_invitations" USING btree ("accepted_by");--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('assigned', 'mentioned', 'commented', 'added', 'renamed', 'described', 'logged', 'started', 'corrected', 'joined'));
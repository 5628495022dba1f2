ALTER TABLE "notifications" ADD COLUMN "comment_id" integer;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "time_entry_id" integer;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_comment_id_comments_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_time_entry_id_time_entries_id_fk" FOREIGN KEY ("time_entry_id") REFERENCES "public"."time_entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notifications_comment_id_index" ON "notifications" USING btree ("comment_id");--> statement-breakpoint
CREATE INDEX "notifications_time_entry_id_index" ON "notifications" USING btree ("time_entry_id");
DROP INDEX "time_entries_task_id_start_time_index";--> statement-breakpoint
DROP INDEX "time_entries_user_id_start_time_index";--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "board_id" integer;--> statement-breakpoint
UPDATE "time_entries" SET "board_id" = "tasks"."board_id" FROM "tasks" WHERE "tasks"."id" = "time_entries"."task_id";--> statement-breakpoint
ALTER TABLE "time_entries" ALTER COLUMN "board_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "day" date;--> statement-breakpoint
UPDATE "time_entries" SET "day" = ("start_time" AT TIME ZONE 'UTC')::date;--> statement-breakpoint
ALTER TABLE "time_entries" ALTER COLUMN "day" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "running_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "counted" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "confirmed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "billable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "time_entries_of_task" ON "time_entries" USING btree ("task_id","start_time","id","duration_minutes","status");--> statement-breakpoint
CREATE INDEX "time_entries_of_board" ON "time_entries" USING btree ("board_id","day","start_time","id","user_id","task_id","duration_minutes","status");--> statement-breakpoint
CREATE INDEX "time_entries_user_id_index" ON "time_entries" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "time_entries_timers" ON "time_entries" USING btree ("user_id") WHERE "time_entries"."status" <> 'completed';--> statement-breakpoint
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_running" CHECK (("time_entries"."status" = 'ACTIVE') = ("time_entries"."running_since" is not null));
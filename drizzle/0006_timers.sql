DROP INDEX "time_entries_task_id_start_time_index";--> statement-breakpoint
DROP INDEX "time_entries_user_id_start_time_index";--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "day" date;--> statement-breakpoint
UPDATE "time_entries" SET "day" = ("start_time" AT TIME ZONE 'UTC')::date;--> statement-breakpoint
ALTER TABLE "time_entries" ALTER COLUMN "day" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "running_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "counted" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "confirmed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "billable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "time_entries_task_id_day_index" ON "time_entries" USING btree ("task_id","day");--> statement-breakpoint
CREATE INDEX "time_entries_user_id_day_index" ON "time_entries" USING btree ("user_id","day");--> statement-breakpoint
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_running" CHECK (("time_entries"."status" = 'ACTIVE') = ("time_entries"."running_since" is not null));
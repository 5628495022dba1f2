ALTER TABLE "board_members" ADD COLUMN "place" integer;--> statement-breakpoint
ALTER TABLE "board_members" ADD COLUMN "pinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "done_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "tasks_due" ON "tasks" USING btree ("board_id","due_date") WHERE "tasks"."deleted_at" is null and "tasks"."status" <> 'done' and "tasks"."due_date" is not null;
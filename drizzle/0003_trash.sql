ALTER TABLE "tasks" DROP CONSTRAINT "tasks_place";--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "deleted_by" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_place" ON "tasks" USING btree ("board_id","status","position") WHERE "tasks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_board_id_index" ON "tasks" USING btree ("board_id");--> statement-breakpoint
CREATE INDEX "tasks_deleted" ON "tasks" USING btree ("deleted_at") WHERE "tasks"."deleted_at" is not null;
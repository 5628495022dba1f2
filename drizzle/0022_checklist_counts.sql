ALTER TABLE "tasks" ADD COLUMN "checklist_done" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "checklist_all" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "checklist_done" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "checklist_all" DROP DEFAULT;--> statement-breakpoint
-- Those with boxes are counted within a minute, and until then whenever they are read.
UPDATE "tasks" SET "checklist_done" = NULL, "checklist_all" = NULL WHERE "description" ~ '\[[ xX]\]';--> statement-breakpoint
CREATE INDEX "tasks_uncounted" ON "tasks" USING btree ("id") WHERE "tasks"."checklist_all" is null;

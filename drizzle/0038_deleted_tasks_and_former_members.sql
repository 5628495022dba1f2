ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "former" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "tasks_deleted_of_board" ON "tasks" USING btree ("board_id","deleted_at","id") WHERE "tasks"."deleted_at" is not null;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('assigned', 'mentioned', 'commented', 'added', 'renamed', 'described', 'logged', 'started', 'corrected', 'invited', 'joined', 'declined', 'name_declined', 'account_deleted'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_former" CHECK (not "users"."former" or ("users"."imported_on" is not null and "users"."imported_email" is null));--> statement-breakpoint
-- What is deleted is not found: its words would take the places of others among what a search weighs.
DROP TRIGGER "task_worded" ON "tasks";
--> statement-breakpoint
CREATE TRIGGER "task_worded" AFTER INSERT OR UPDATE OF "title", "description", "tags" ON "tasks"
	FOR EACH ROW WHEN (NEW."deleted_at" IS NULL) EXECUTE FUNCTION "task_worded"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "comment_worded"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "finder_texts"
	SELECT "board_id", "id", NEW."id", "finder_words"("board_id", '', NEW."content")
	FROM "tasks" WHERE "id" = NEW."task_id" AND "deleted_at" IS NULL
	ON CONFLICT ("task_id", "comment_id") DO UPDATE SET "words" = "excluded"."words";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "task_reworded"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "finder_texts" VALUES (NEW."board_id", NEW."id", 0, "finder_words"(NEW)) ON CONFLICT DO NOTHING;
	INSERT INTO "finder_texts"
	SELECT NEW."board_id", NEW."id", "id", "finder_words"(NEW."board_id", '', "content") FROM "comments" WHERE "task_id" = NEW."id"
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "task_unfound" AFTER UPDATE OF "deleted_at" ON "tasks" FOR EACH ROW
	WHEN (OLD."deleted_at" IS NULL AND NEW."deleted_at" IS NOT NULL) EXECUTE FUNCTION "task_unworded"();
--> statement-breakpoint
CREATE TRIGGER "task_found" AFTER UPDATE OF "deleted_at" ON "tasks" FOR EACH ROW
	WHEN (OLD."deleted_at" IS NOT NULL AND NEW."deleted_at" IS NULL) EXECUTE FUNCTION "task_reworded"();

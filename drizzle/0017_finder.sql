CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "finder_texts" (
	"board_id" integer NOT NULL,
	"task_id" integer NOT NULL,
	"comment_id" integer NOT NULL,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "finder_texts_task_id_comment_id_pk" PRIMARY KEY("task_id","comment_id")
);
--> statement-breakpoint
-- Words as they are compared: in small letters, without signs, and no longer than 40.
CREATE FUNCTION "finder_words"("text" text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
	SELECT to_tsvector('simple'::regconfig, regexp_replace(
		regexp_replace("text", '[!-/:-@\[-`{-~¡«·»¿‐-‧‹›、。「」【】]', ' ', 'g'), '(\S{40})\S+', '\1', 'g'))
$$;
--> statement-breakpoint
-- Each with its board before it: those of the title after "=", the first 150 of what else there is after "/".
CREATE FUNCTION "finder_words"("board" integer, "title" text, "more" text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
	SELECT array_to_tsvector(
		array(SELECT "board" || '=' || "word" FROM unnest(tsvector_to_array("titled")) AS "word")
		|| array(SELECT "board" || '/' || "lexeme" FROM unnest("finder_words"(left(coalesce("more", ''), 4000)))
			ORDER BY "positions"[1] LIMIT 150))
	FROM "finder_words"("title") AS "titled"
$$;
--> statement-breakpoint
CREATE FUNCTION "finder_words"("of" tasks) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
	SELECT "finder_words"("of"."board_id", "of"."title" || ' ' || array_to_string("of"."tags", ' '), "of"."description")
$$;
--> statement-breakpoint
CREATE FUNCTION "task_worded"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "finder_texts" VALUES (NEW."board_id", NEW."id", 0, "finder_words"(NEW))
	ON CONFLICT ("task_id", "comment_id") DO UPDATE SET "words" = "excluded"."words";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "comment_worded"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "finder_texts"
	SELECT "board_id", "id", NEW."id", "finder_words"("board_id", '', NEW."content") FROM "tasks" WHERE "id" = NEW."task_id"
	ON CONFLICT ("task_id", "comment_id") DO UPDATE SET "words" = "excluded"."words";
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Row by row and by the key, whatever Postgres expects: a connection may have planned this when there were no texts.
CREATE FUNCTION "task_unworded"() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
BEGIN
	DELETE FROM "finder_texts" WHERE "task_id" = OLD."id";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "comment_unworded"() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
BEGIN
	DELETE FROM "finder_texts" WHERE "task_id" = OLD."task_id" AND "comment_id" = OLD."id";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "task_worded" AFTER INSERT OR UPDATE OF "title", "description", "tags" ON "tasks"
	FOR EACH ROW EXECUTE FUNCTION "task_worded"();
--> statement-breakpoint
CREATE TRIGGER "comment_worded" AFTER INSERT OR UPDATE OF "content" ON "comments"
	FOR EACH ROW EXECUTE FUNCTION "comment_worded"();
--> statement-breakpoint
CREATE TRIGGER "task_unworded" AFTER DELETE ON "tasks" FOR EACH ROW EXECUTE FUNCTION "task_unworded"();
--> statement-breakpoint
CREATE TRIGGER "comment_unworded" AFTER DELETE ON "comments" FOR EACH ROW EXECUTE FUNCTION "comment_unworded"();
--> statement-breakpoint
INSERT INTO "finder_texts" SELECT "board_id", "id", 0, "finder_words"("tasks") FROM "tasks";
--> statement-breakpoint
INSERT INTO "finder_texts"
SELECT "board_id", "task_id", "comments"."id", "finder_words"("board_id", '', "content")
FROM "comments" JOIN "tasks" ON "tasks"."id" = "task_id";
--> statement-breakpoint
CREATE INDEX "finder_texts_words" ON "finder_texts" USING gin ("words") WITH (fastupdate=false);
--> statement-breakpoint
-- What to look for on a board, which stands for "#": all of the words, and what begins with the last one.
CREATE FUNCTION "finder_query"("text" text, OUT "anywhere" text, OUT "titled" text) LANGUAGE sql IMMUTABLE AS $$
	SELECT string_agg(format('(''#=%1$s''%2$s | ''#/%1$s''%2$s)', "word", "open"), ' & '),
		string_agg(format('''#=%s''%s', "word", "open"), ' & ')
	FROM (
		SELECT "lexeme" AS "word", CASE WHEN "positions"[1] = max("positions"[1]) OVER () THEN ':*' ELSE '' END AS "open"
		FROM unnest("finder_words"("text"))
	) AS "words"
$$;
--> statement-breakpoint
-- The same number of texts of each board at most. Whatever Postgres expects, the index is used, and nothing planned twice.
CREATE FUNCTION "find_texts"("boards" integer[], "text" text, "most" integer)
RETURNS TABLE ("task_id" integer, "comment_id" integer, "in_title" boolean)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	"query" record := "finder_query"("text");
	"each" integer := greatest(10, "most" / greatest(1, cardinality("boards")));
	"board" text;
	"anywhere" tsquery;
	"titled" tsquery;
BEGIN
	IF "query"."anywhere" IS NULL THEN RETURN; END IF;
	FOREACH "board" IN ARRAY "boards"::text[] LOOP
		"anywhere" := replace("query"."anywhere", '#', "board");
		"titled" := replace("query"."titled", '#', "board");
		RETURN QUERY SELECT "t"."task_id", "t"."comment_id", "t"."words" @@ "titled"
		FROM "finder_texts" AS "t" WHERE "t"."words" @@ "anywhere" LIMIT "each";
	END LOOP;
END $$;
--> statement-breakpoint
CREATE INDEX "tasks_board_id_id_index" ON "tasks" USING btree ("board_id","id");
--> statement-breakpoint
-- Last, for from here on nobody can read tasks until all of this is done.
DROP INDEX "tasks_board_id_index";

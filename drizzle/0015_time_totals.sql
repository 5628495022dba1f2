CREATE TABLE "time_totals" (
	"board_id" integer NOT NULL,
	"span" integer NOT NULL,
	"day" date NOT NULL,
	"user_id" integer NOT NULL,
	"task_id" integer NOT NULL,
	"entries" integer NOT NULL,
	"exportable" integer NOT NULL,
	"minutes" bigint NOT NULL,
	"billed0" bigint NOT NULL,
	"billed6" bigint NOT NULL,
	"billed15" bigint NOT NULL,
	"billed30" bigint NOT NULL,
	"unrated0" bigint NOT NULL,
	"unrated6" bigint NOT NULL,
	"unrated15" bigint NOT NULL,
	"unrated30" bigint NOT NULL,
	"cents0" bigint NOT NULL,
	"cents6" bigint NOT NULL,
	"cents15" bigint NOT NULL,
	"cents30" bigint NOT NULL,
	CONSTRAINT "time_totals_board_id_span_day_user_id_task_id_pk" PRIMARY KEY("board_id","span","day","user_id","task_id")
);
--> statement-breakpoint
DROP INDEX "time_entries_user_id_index";--> statement-breakpoint
ALTER TABLE "time_totals" ADD CONSTRAINT "time_totals_board_id_boards_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."boards"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "time_totals_people" ON "time_totals" USING btree ("board_id","span","day","user_id") WHERE "time_totals"."task_id" = 0;--> statement-breakpoint
CREATE INDEX "time_totals_days" ON "time_totals" USING btree ("board_id","user_id","span","day") WHERE "time_totals"."task_id" = 0;--> statement-breakpoint
CREATE INDEX "time_totals_task" ON "time_totals" USING btree ("task_id","span","user_id","day") WHERE "time_totals"."task_id" > 0;--> statement-breakpoint
CREATE INDEX "time_entries_of_person" ON "time_entries" USING btree ("user_id","board_id","day","start_time","id");--> statement-breakpoint
CREATE INDEX "time_entries_days_of_task" ON "time_entries" USING btree ("task_id","day","start_time","id");--> statement-breakpoint
CREATE FUNCTION "period_of"("day" date, "span" integer) RETURNS date LANGUAGE sql IMMUTABLE AS $$
	SELECT "day" - (("day" - DATE '1970-01-01') % "span" + "span") % "span"
$$;
--> statement-breakpoint
-- What an entry adds to each of its sums; the sign is -1 for one that goes.
CREATE FUNCTION "time_shares"("e" time_entries, "rate" integer, "sign" integer) RETURNS SETOF time_totals LANGUAGE sql IMMUTABLE AS $$
	SELECT "e"."board_id", "of"."span", "of"."day", "of"."user_id", "of"."task_id", "sign", "exportable", "minutes",
		"billed0", "billed6", "billed15", "billed30",
		CASE WHEN "rate" IS NULL THEN "billed0" ELSE 0 END, CASE WHEN "rate" IS NULL THEN "billed6" ELSE 0 END,
		CASE WHEN "rate" IS NULL THEN "billed15" ELSE 0 END, CASE WHEN "rate" IS NULL THEN "billed30" ELSE 0 END,
		("billed0" * "cents" + 30 * "sign") / 60, ("billed6" * "cents" + 30 * "sign") / 60,
		("billed15" * "cents" + 30 * "sign") / 60, ("billed30" * "cents" + 30 * "sign") / 60
	FROM (
		SELECT "sign" * "is_exportable"::integer AS "exportable",
			"sign" * CASE WHEN "is_exportable" THEN "e"."duration_minutes" ELSE 0 END::bigint AS "minutes",
			"sign" * "billed" AS "billed0",
			"sign" * (("billed" + 5) / 6 * 6) AS "billed6",
			"sign" * (("billed" + 14) / 15 * 15) AS "billed15",
			"sign" * (("billed" + 29) / 30 * 30) AS "billed30",
			coalesce("rate", 0)::bigint AS "cents"
		FROM (
			SELECT "e"."status" <> 'ACTIVE' AS "is_exportable",
				CASE WHEN "e"."billable" AND "e"."status" <> 'ACTIVE' THEN "e"."duration_minutes" ELSE 0 END::bigint AS "billed"
		) AS "entry"
		OFFSET 0
	) AS "sums"
	CROSS JOIN LATERAL (VALUES
		(0, DATE '1970-01-01', 0, 0),
		(0, DATE '1970-01-01', "e"."user_id", 0),
		(0, DATE '1970-01-01', 0, "e"."task_id"),
		(0, DATE '1970-01-01', "e"."user_id", "e"."task_id"),
		(1, "e"."day", 0, 0),
		(1, "e"."day", "e"."user_id", 0),
		(1, "e"."day", 0, "e"."task_id"),
		(8, "period_of"("e"."day", 8), "e"."user_id", 0),
		(8, "period_of"("e"."day", 8), 0, "e"."task_id"),
		(64, "period_of"("e"."day", 64), "e"."user_id", 0),
		(64, "period_of"("e"."day", 64), 0, "e"."task_id")
	) AS "of" ("span", "day", "user_id", "task_id")
$$;
--> statement-breakpoint
CREATE VIEW "time_sums" AS
	SELECT "share"."board_id", "share"."span", "share"."day", "share"."user_id", "share"."task_id",
		sum("share"."entries")::integer AS "entries", sum("share"."exportable")::integer AS "exportable",
		sum("share"."minutes")::bigint AS "minutes",
		sum("share"."billed0")::bigint AS "billed0", sum("share"."billed6")::bigint AS "billed6",
		sum("share"."billed15")::bigint AS "billed15", sum("share"."billed30")::bigint AS "billed30",
		sum("share"."unrated0")::bigint AS "unrated0", sum("share"."unrated6")::bigint AS "unrated6",
		sum("share"."unrated15")::bigint AS "unrated15", sum("share"."unrated30")::bigint AS "unrated30",
		sum("share"."cents0")::bigint AS "cents0", sum("share"."cents6")::bigint AS "cents6",
		sum("share"."cents15")::bigint AS "cents15", sum("share"."cents30")::bigint AS "cents30"
	FROM "time_entries" AS "e"
	JOIN "tasks" ON "tasks"."id" = "e"."task_id" AND "tasks"."deleted_at" IS NULL
	LEFT JOIN LATERAL (
		SELECT "cents" FROM "rates"
		WHERE "rates"."board_id" = "e"."board_id" AND "rates"."user_id" = "e"."user_id" AND "rates"."from_day" <= "e"."day"
		ORDER BY "rates"."from_day" DESC LIMIT 1
	) AS "rate" ON true
	CROSS JOIN LATERAL "time_shares"("e", "rate"."cents", 1) AS "share"
	GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
-- Not of a board that is just being deleted: its sums go with it, in any order.
CREATE FUNCTION "has_time_totals"("board" integer) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL UNSAFE AS $$
BEGIN
	RETURN EXISTS (SELECT FROM "boards" WHERE "id" = "board") AND EXISTS (
		SELECT FROM "time_totals"
		WHERE "board_id" = "board" AND "span" = 0 AND "day" = DATE '1970-01-01' AND "user_id" = 0 AND "task_id" = 0
	);
END $$;
--> statement-breakpoint
CREATE FUNCTION "make_time_totals"("board" integer) RETURNS void LANGUAGE sql SET work_mem = '64MB' AS $$
	DELETE FROM "time_totals" WHERE "board_id" = "board";
	INSERT INTO "time_totals" SELECT * FROM "time_sums" WHERE "board_id" = "board"
		ORDER BY "span", "task_id" > 0, "user_id", "day";
$$;
--> statement-breakpoint
-- Rates are given, because a change of them also needs those that were in force before.
CREATE FUNCTION "change_time_totals"("gone" time_entries[], "come" time_entries[], "before" rates[], "after" rates[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	"emptied" time_totals[];
BEGIN
	WITH "work" AS (
		SELECT "e" AS "entry", -1 AS "sign", (
			SELECT "r"."cents" FROM unnest("before") AS "r" WHERE "r"."user_id" = "e"."user_id" AND "r"."from_day" <= "e"."day"
			ORDER BY "r"."from_day" DESC LIMIT 1
		) AS "rate"
		FROM unnest("gone") AS "e"
		UNION ALL
		SELECT "e", 1, (
			SELECT "r"."cents" FROM unnest("after") AS "r" WHERE "r"."user_id" = "e"."user_id" AND "r"."from_day" <= "e"."day"
			ORDER BY "r"."from_day" DESC LIMIT 1
		)
		FROM unnest("come") AS "e"
	), "changed" AS (
		INSERT INTO "time_totals" AS "kept"
		SELECT "share"."board_id", "share"."span", "share"."day", "share"."user_id", "share"."task_id",
			sum("share"."entries"), sum("share"."exportable"), sum("share"."minutes"),
			sum("share"."billed0"), sum("share"."billed6"), sum("share"."billed15"), sum("share"."billed30"),
			sum("share"."unrated0"), sum("share"."unrated6"), sum("share"."unrated15"), sum("share"."unrated30"),
			sum("share"."cents0"), sum("share"."cents6"), sum("share"."cents15"), sum("share"."cents30")
		FROM "work"
		JOIN "tasks" ON "tasks"."id" = ("work"."entry")."task_id" AND "tasks"."deleted_at" IS NULL
		CROSS JOIN LATERAL "time_shares"("work"."entry", "work"."rate", "work"."sign") AS "share"
		GROUP BY 1, 2, 3, 4, 5
		ON CONFLICT ("board_id", "span", "day", "user_id", "task_id") DO UPDATE SET
			"entries" = "kept"."entries" + "excluded"."entries",
			"exportable" = "kept"."exportable" + "excluded"."exportable",
			"minutes" = "kept"."minutes" + "excluded"."minutes",
			"billed0" = "kept"."billed0" + "excluded"."billed0",
			"billed6" = "kept"."billed6" + "excluded"."billed6",
			"billed15" = "kept"."billed15" + "excluded"."billed15",
			"billed30" = "kept"."billed30" + "excluded"."billed30",
			"unrated0" = "kept"."unrated0" + "excluded"."unrated0",
			"unrated6" = "kept"."unrated6" + "excluded"."unrated6",
			"unrated15" = "kept"."unrated15" + "excluded"."unrated15",
			"unrated30" = "kept"."unrated30" + "excluded"."unrated30",
			"cents0" = "kept"."cents0" + "excluded"."cents0",
			"cents6" = "kept"."cents6" + "excluded"."cents6",
			"cents15" = "kept"."cents15" + "excluded"."cents15",
			"cents30" = "kept"."cents30" + "excluded"."cents30"
		RETURNING "kept".*
	)
	SELECT array_agg(ROW("changed".*)::time_totals) INTO "emptied" FROM "changed" WHERE "changed"."entries" = 0;
	IF "emptied" IS NOT NULL THEN
		DELETE FROM "time_totals" AS "kept" USING unnest("emptied") AS "empty"
		WHERE "kept"."board_id" = "empty"."board_id" AND "kept"."span" = "empty"."span" AND "kept"."day" = "empty"."day"
			AND "kept"."user_id" = "empty"."user_id" AND "kept"."task_id" = "empty"."task_id";
	END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION "replace_in_time_totals"("board" integer, "gone" time_entries[], "come" time_entries[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	"in_force" rates[] := ARRAY(
		SELECT "r" FROM "rates" AS "r"
		WHERE "r"."board_id" = "board" AND "r"."user_id" IN (SELECT "e"."user_id" FROM unnest("gone" || "come") AS "e")
	);
BEGIN
	PERFORM "change_time_totals"("gone", "come", "in_force", "in_force");
END $$;
--> statement-breakpoint
CREATE FUNCTION "time_entries_came"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"board" integer;
BEGIN
	FOR "board" IN SELECT DISTINCT "board_id" FROM "came" LOOP
		IF "has_time_totals"("board") THEN
			PERFORM "replace_in_time_totals"("board", '{}',
				ARRAY(SELECT ROW("e".*)::time_entries FROM "came" AS "e" WHERE "e"."board_id" = "board"));
		ELSIF 1000 = (SELECT count(*) FROM (SELECT FROM "time_entries" WHERE "board_id" = "board" LIMIT 1000) AS "many") THEN
			PERFORM "make_time_totals"("board");
		END IF;
	END LOOP;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "time_entries_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"board" integer;
BEGIN
	FOR "board" IN
		SELECT DISTINCT "a"."board_id" FROM "gone" AS "b" JOIN "came" AS "a" USING ("id")
		WHERE ("b"."task_id", "b"."user_id", "b"."day", "b"."duration_minutes", "b"."status", "b"."billable")
			<> ("a"."task_id", "a"."user_id", "a"."day", "a"."duration_minutes", "a"."status", "a"."billable")
	LOOP
		CONTINUE WHEN NOT "has_time_totals"("board");
		PERFORM "replace_in_time_totals"("board",
			ARRAY(SELECT ROW("e".*)::time_entries FROM "gone" AS "e" WHERE "e"."board_id" = "board"),
			ARRAY(SELECT ROW("e".*)::time_entries FROM "came" AS "e" WHERE "e"."board_id" = "board"));
	END LOOP;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "time_entries_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"board" integer;
BEGIN
	FOR "board" IN SELECT DISTINCT "board_id" FROM "gone" LOOP
		CONTINUE WHEN NOT "has_time_totals"("board");
		PERFORM "replace_in_time_totals"("board",
			ARRAY(SELECT ROW("e".*)::time_entries FROM "gone" AS "e" WHERE "e"."board_id" = "board"), '{}');
	END LOOP;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Entries of a deleted task are in no sum: they leave before it is marked or goes, and come back after it is restored.
CREATE FUNCTION "task_comes_or_goes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"entries" time_entries[];
BEGIN
	IF "has_time_totals"(OLD."board_id") THEN
		"entries" := ARRAY(SELECT "e" FROM "time_entries" AS "e" WHERE "e"."task_id" = OLD."id");
		IF TG_WHEN = 'BEFORE' THEN
			PERFORM "replace_in_time_totals"(OLD."board_id", "entries", '{}');
		ELSE
			PERFORM "replace_in_time_totals"(OLD."board_id", '{}', "entries");
		END IF;
	END IF;
	RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
--> statement-breakpoint
CREATE FUNCTION "rates_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"whose" record;
	"gone" rates[] := '{}';
	"came" rates[] := '{}';
	"after" rates[];
	"before" rates[];
	"entries" time_entries[];
BEGIN
	IF TG_OP <> 'INSERT' THEN "gone" := ARRAY(SELECT ROW("r".*)::rates FROM "old_rates" AS "r"); END IF;
	IF TG_OP <> 'DELETE' THEN "came" := ARRAY(SELECT ROW("r".*)::rates FROM "new_rates" AS "r"); END IF;
	FOR "whose" IN
		SELECT "r"."board_id" AS "board", "r"."user_id" AS "person", min("r"."from_day") AS "first" FROM unnest("gone" || "came") AS "r"
		GROUP BY 1, 2
	LOOP
		CONTINUE WHEN NOT "has_time_totals"("whose"."board");
		"after" := ARRAY(SELECT "r" FROM "rates" AS "r" WHERE "r"."board_id" = "whose"."board" AND "r"."user_id" = "whose"."person");
		"before" := ARRAY(
			SELECT "r" FROM unnest("after") AS "r" WHERE "r"."id" NOT IN (SELECT "c"."id" FROM unnest("came") AS "c")
			UNION ALL
			SELECT "r" FROM unnest("gone") AS "r" WHERE "r"."board_id" = "whose"."board" AND "r"."user_id" = "whose"."person"
		);
		"entries" := ARRAY(
			SELECT "e" FROM "time_entries" AS "e"
			WHERE "e"."user_id" = "whose"."person" AND "e"."board_id" = "whose"."board" AND "e"."day" >= "whose"."first"
		);
		PERFORM "change_time_totals"("entries", "entries", "before", "after");
	END LOOP;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Cascades run all before what they trigger: the entries go first, while their rates are still there.
CREATE FUNCTION "person_goes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "time_entries" WHERE "user_id" = OLD."id";
	RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER "person_goes" BEFORE DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "person_goes"();
--> statement-breakpoint
CREATE TRIGGER "time_entries_came" AFTER INSERT ON "time_entries" REFERENCING NEW TABLE AS "came"
	FOR EACH STATEMENT EXECUTE FUNCTION "time_entries_came"();
--> statement-breakpoint
CREATE TRIGGER "time_entries_changed" AFTER UPDATE ON "time_entries" REFERENCING OLD TABLE AS "gone" NEW TABLE AS "came"
	FOR EACH STATEMENT EXECUTE FUNCTION "time_entries_changed"();
--> statement-breakpoint
CREATE TRIGGER "time_entries_gone" AFTER DELETE ON "time_entries" REFERENCING OLD TABLE AS "gone"
	FOR EACH STATEMENT EXECUTE FUNCTION "time_entries_gone"();
--> statement-breakpoint
CREATE TRIGGER "task_marked" BEFORE UPDATE OF "deleted_at" ON "tasks" FOR EACH ROW
	WHEN (OLD."deleted_at" IS NULL AND NEW."deleted_at" IS NOT NULL) EXECUTE FUNCTION "task_comes_or_goes"();
--> statement-breakpoint
CREATE TRIGGER "task_gone" BEFORE DELETE ON "tasks" FOR EACH ROW
	WHEN (OLD."deleted_at" IS NULL) EXECUTE FUNCTION "task_comes_or_goes"();
--> statement-breakpoint
CREATE TRIGGER "task_restored" AFTER UPDATE OF "deleted_at" ON "tasks" FOR EACH ROW
	WHEN (OLD."deleted_at" IS NOT NULL AND NEW."deleted_at" IS NULL) EXECUTE FUNCTION "task_comes_or_goes"();
--> statement-breakpoint
CREATE TRIGGER "rates_came" AFTER INSERT ON "rates" REFERENCING NEW TABLE AS "new_rates"
	FOR EACH STATEMENT EXECUTE FUNCTION "rates_changed"();
--> statement-breakpoint
CREATE TRIGGER "rates_changed" AFTER UPDATE ON "rates" REFERENCING OLD TABLE AS "old_rates" NEW TABLE AS "new_rates"
	FOR EACH STATEMENT EXECUTE FUNCTION "rates_changed"();
--> statement-breakpoint
CREATE TRIGGER "rates_gone" AFTER DELETE ON "rates" REFERENCING OLD TABLE AS "old_rates"
	FOR EACH STATEMENT EXECUTE FUNCTION "rates_changed"();
--> statement-breakpoint
SELECT "make_time_totals"("board_id") FROM (SELECT "board_id" FROM "time_entries" GROUP BY 1 HAVING count(*) >= 1000) AS "large";

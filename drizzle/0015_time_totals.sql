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
CREATE INDEX "time_totals_people" ON "time_totals" USING btree ("board_id","span","day","user_id") WHERE "time_totals"."task_id" = 0;--> statement-breakpoint
CREATE INDEX "time_totals_days" ON "time_totals" USING btree ("board_id","user_id","span","day") WHERE "time_totals"."task_id" = 0;--> statement-breakpoint
CREATE INDEX "time_totals_task" ON "time_totals" USING btree ("task_id","span","user_id","day") WHERE "time_totals"."task_id" > 0;--> statement-breakpoint
CREATE INDEX "time_entries_of_person" ON "time_entries" USING btree ("user_id","board_id","day","start_time","id");--> statement-breakpoint
CREATE INDEX "time_entries_days_of_task" ON "time_entries" USING btree ("task_id","day","start_time","id");--> statement-breakpoint
-- Quicker than "sum", which adds up to a numeric.
CREATE AGGREGATE "total" (bigint) (SFUNC = int8pl, STYPE = bigint, INITCOND = 0);
--> statement-breakpoint
CREATE FUNCTION "period_of"("day" date, "span" integer) RETURNS date LANGUAGE sql IMMUTABLE AS $$
	SELECT "day" - (("day" - DATE '1970-01-01') % "span" + "span") % "span"
$$;
--> statement-breakpoint
-- What an entry adds to its sums if it is (1) there at the rate "after", less what it added if it was (1) there at "before".
CREATE FUNCTION "time_amounts"("e" time_entries, "was" integer, "before" integer, "is" integer, "after" integer)
RETURNS SETOF time_totals LANGUAGE sql IMMUTABLE AS $$
	SELECT "e"."board_id", 1, "e"."day", "e"."user_id", "e"."task_id", "sign", "sign" * "done", "sign" * "minutes",
		"sign" * "b0", "sign" * "b6", "sign" * "b15", "sign" * "b30",
		"unrated" * "b0", "unrated" * "b6", "unrated" * "b15", "unrated" * "b30",
		("b0" * "new" + 30) / 60 - ("b0" * "old" + 30) / 60, ("b6" * "new" + 30) / 60 - ("b6" * "old" + 30) / 60,
		("b15" * "new" + 30) / 60 - ("b15" * "old" + 30) / 60, ("b30" * "new" + 30) / 60 - ("b30" * "old" + 30) / 60
	FROM (SELECT "is" - "was" AS "sign", "is" * coalesce("after", 0) AS "new", "was" * coalesce("before", 0) AS "old",
		"is" * ("after" IS NULL)::integer - "was" * ("before" IS NULL)::integer AS "unrated",
		("e"."status" <> 'ACTIVE')::integer AS "done") AS "entry"
	CROSS JOIN LATERAL (SELECT ("done" * "e"."duration_minutes")::bigint AS "minutes") AS "worked"
	CROSS JOIN LATERAL (SELECT "e"."billable"::integer * "minutes" AS "b0") AS "billed"
	CROSS JOIN LATERAL (SELECT ("b0" + 5) / 6 * 6 AS "b6", ("b0" + 14) / 15 * 15 AS "b15", ("b0" + 29) / 30 * 30 AS "b30") AS "rounded"
$$;
--> statement-breakpoint
-- The same at the rate in force, of an entry that comes (1) or goes (-1); nothing of one of a deleted task.
CREATE FUNCTION "time_amounts"("e" time_entries, "sign" integer) RETURNS SETOF time_totals LANGUAGE sql STABLE AS $$
	SELECT "amounts".*
	FROM (SELECT "e"."board_id" AS "board", "e"."user_id" AS "person", "e"."task_id" AS "task", "e"."day" AS "date" OFFSET 0) AS "of"
	JOIN "tasks" ON "tasks"."id" = "of"."task" AND "tasks"."deleted_at" IS NULL
	LEFT JOIN LATERAL (
		SELECT "cents" FROM "rates"
		WHERE "board_id" = "of"."board" AND "user_id" = "of"."person" AND "from_day" <= "of"."date"
		ORDER BY "from_day" DESC LIMIT 1
	) AS "rate" ON true
	CROSS JOIN LATERAL "time_amounts"("e", ("sign" < 0)::integer, "rate"."cents", ("sign" > 0)::integer, "rate"."cents") AS "amounts"
$$;
--> statement-breakpoint
-- What these parts add to each sum that is kept.
CREATE FUNCTION "rolled_up"("parts" time_totals[]) RETURNS SETOF time_totals LANGUAGE sql IMMUTABLE AS $$
	SELECT "board_id",
		CASE grouping("d64", "d8", "day") WHEN 3 THEN 64 WHEN 5 THEN 8 WHEN 6 THEN 1 ELSE 0 END,
		coalesce("d64", "d8", "day", DATE '1970-01-01'), coalesce("user_id", 0), coalesce("task_id", 0),
		total("entries")::integer, total("exportable")::integer, total("minutes"),
		total("billed0"), total("billed6"), total("billed15"), total("billed30"),
		total("unrated0"), total("unrated6"), total("unrated15"), total("unrated30"),
		total("cents0"), total("cents6"), total("cents15"), total("cents30")
	FROM (SELECT *, "period_of"("day", 8) AS "d8", "period_of"("day", 64) AS "d64" FROM unnest("parts")) AS "part"
	GROUP BY "board_id", GROUPING SETS (
		CUBE ("user_id", "task_id"), ("day"), ("day", "user_id"), ("day", "task_id"),
		("d8", "user_id"), ("d8", "task_id"), ("d64", "user_id"), ("d64", "task_id")
	)
$$;
--> statement-breakpoint
CREATE FUNCTION "has_time_totals"("board" integer) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL UNSAFE AS $$
BEGIN
	RETURN EXISTS (
		SELECT FROM "time_totals"
		WHERE "board_id" = "board" AND "span" = 0 AND "day" = DATE '1970-01-01' AND "user_id" = 0 AND "task_id" = 0
	);
END $$;
--> statement-breakpoint
CREATE FUNCTION "change_time_totals"("parts" time_totals[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	"emptied" tid[];
BEGIN
	WITH "changed" AS (
		INSERT INTO "time_totals" AS "kept" SELECT * FROM "rolled_up"("parts") ORDER BY "span", "day", "user_id"
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
		RETURNING "kept"."ctid" AS "place", "kept"."entries"
	)
	SELECT array_agg("place") INTO "emptied" FROM "changed" WHERE "entries" = 0;
	IF "emptied" IS NOT NULL THEN DELETE FROM "time_totals" WHERE "ctid" = ANY("emptied"); END IF;
END $$;
--> statement-breakpoint
-- A period at a time, so that no list is too long to be held.
CREATE FUNCTION "make_time_totals"("board" integer) RETURNS void LANGUAGE plpgsql SET jit = off SET work_mem = '64MB' AS $$
DECLARE
	"period" date;
BEGIN
	DELETE FROM "time_totals" WHERE "board_id" = "board";
	FOR "period" IN SELECT DISTINCT "period_of"("day", 64) FROM "time_entries" WHERE "board_id" = "board" ORDER BY 1 LOOP
		PERFORM "change_time_totals"(ARRAY(
			SELECT "amounts" FROM "time_entries" AS "e", "time_amounts"("e", 1) AS "amounts"
			WHERE "e"."board_id" = "board" AND "e"."day" >= "period" AND "e"."day" < "period" + 64
		));
	END LOOP;
END $$;
--> statement-breakpoint
CREATE FUNCTION "time_entries_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"parts" time_totals[] := '{}';
	"board" integer;
BEGIN
	IF TG_OP = 'UPDATE' THEN
		IF NOT EXISTS (
			SELECT FROM "gone" AS "b" JOIN "came" AS "a" USING ("id")
			WHERE ("b"."task_id", "b"."user_id", "b"."day", "b"."duration_minutes", "b"."status", "b"."billable")
				<> ("a"."task_id", "a"."user_id", "a"."day", "a"."duration_minutes", "a"."status", "a"."billable")
		) THEN
			RETURN NULL;
		END IF;
	END IF;
	IF TG_OP <> 'INSERT' THEN
		"parts" := ARRAY(
			SELECT "amounts" FROM "gone" AS "e", "time_amounts"("e", -1) AS "amounts" WHERE "has_time_totals"("e"."board_id")
		);
	END IF;
	IF TG_OP <> 'DELETE' THEN
		"parts" := "parts" || ARRAY(
			SELECT "amounts" FROM "came" AS "e", "time_amounts"("e", 1) AS "amounts" WHERE "has_time_totals"("e"."board_id")
		);
	END IF;
	PERFORM "change_time_totals"("parts");
	IF TG_OP = 'INSERT' THEN
		FOR "board" IN SELECT DISTINCT "board_id" FROM "came" WHERE NOT "has_time_totals"("board_id") LOOP
			IF 1000 = (SELECT count(*) FROM (SELECT FROM "time_entries" WHERE "board_id" = "board" LIMIT 1000) AS "many") THEN
				PERFORM "make_time_totals"("board");
			END IF;
		END LOOP;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Entries of a deleted task are in no sum: they leave before it is marked or goes, and come back after it is restored.
CREATE FUNCTION "task_comes_or_goes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF "has_time_totals"(OLD."board_id") THEN
		PERFORM "change_time_totals"(ARRAY(
			SELECT "amounts" FROM "time_entries" AS "e", "time_amounts"("e", CASE TG_WHEN WHEN 'BEFORE' THEN -1 ELSE 1 END) AS "amounts"
			WHERE "e"."task_id" = OLD."id"
		));
	END IF;
	RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
--> statement-breakpoint
CREATE FUNCTION "rates_changed"() RETURNS trigger LANGUAGE plpgsql SET jit = off SET work_mem = '64MB' AS $$
DECLARE
	"gone" rates[] := '{}';
	"came" rates[] := '{}';
BEGIN
	IF TG_OP <> 'INSERT' THEN "gone" := ARRAY(SELECT "r" FROM "old_rates" AS "r"); END IF;
	IF TG_OP <> 'DELETE' THEN "came" := ARRAY(SELECT "r" FROM "new_rates" AS "r"); END IF;
	PERFORM "change_time_totals"(ARRAY(
		WITH "whose" AS (
			SELECT "board_id", "user_id" FROM unnest("gone" || "came") GROUP BY 1, 2 HAVING "has_time_totals"("board_id")
		), "now" AS (
			SELECT "rates".* FROM "rates" JOIN "whose" USING ("board_id", "user_id")
		), "former" AS (
			SELECT * FROM "now" WHERE "id" NOT IN (SELECT "id" FROM unnest("came"))
			UNION ALL SELECT "r".* FROM unnest("gone") AS "r" JOIN "whose" USING ("board_id", "user_id")
		), "during" AS (
			SELECT *, lead("first", 1, DATE 'infinity') OVER (PARTITION BY "board_id", "user_id" ORDER BY "first") AS "next", (
				SELECT "cents" FROM "former" AS "r" WHERE "r"."board_id" = "of"."board_id" AND "r"."user_id" = "of"."user_id"
					AND "from_day" <= "first" ORDER BY "from_day" DESC LIMIT 1
			) AS "before", (
				SELECT "cents" FROM "now" AS "r" WHERE "r"."board_id" = "of"."board_id" AND "r"."user_id" = "of"."user_id"
					AND "from_day" <= "first" ORDER BY "from_day" DESC LIMIT 1
			) AS "after"
			FROM (
				SELECT "board_id", "user_id", "from_day" AS "first" FROM "former"
				UNION SELECT "board_id", "user_id", "from_day" FROM "now"
			) AS "of"
		)
		SELECT "amounts" FROM "during"
		JOIN "time_entries" AS "e" USING ("board_id", "user_id")
		JOIN "tasks" ON "tasks"."id" = "e"."task_id" AND "tasks"."deleted_at" IS NULL
		CROSS JOIN LATERAL "time_amounts"("e", 1, "before", 1, "after") AS "amounts"
		WHERE "e"."day" >= "first" AND "e"."day" < "next" AND "e"."billable" AND "before" IS DISTINCT FROM "after"
	));
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
-- First of all, so that nothing is taken off them while the rest goes.
CREATE FUNCTION "board_goes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "time_totals" WHERE "board_id" = OLD."id";
	RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER "board_goes" BEFORE DELETE ON "boards" FOR EACH ROW EXECUTE FUNCTION "board_goes"();
--> statement-breakpoint
CREATE TRIGGER "person_goes" BEFORE DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "person_goes"();
--> statement-breakpoint
CREATE TRIGGER "time_entries_came" AFTER INSERT ON "time_entries" REFERENCING NEW TABLE AS "came"
	FOR EACH STATEMENT EXECUTE FUNCTION "time_entries_changed"();
--> statement-breakpoint
CREATE TRIGGER "time_entries_changed" AFTER UPDATE ON "time_entries" REFERENCING OLD TABLE AS "gone" NEW TABLE AS "came"
	FOR EACH STATEMENT EXECUTE FUNCTION "time_entries_changed"();
--> statement-breakpoint
CREATE TRIGGER "time_entries_gone" AFTER DELETE ON "time_entries" REFERENCING OLD TABLE AS "gone"
	FOR EACH STATEMENT EXECUTE FUNCTION "time_entries_changed"();
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

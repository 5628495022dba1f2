ALTER TABLE "imports" ADD COLUMN "original" text;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_original_unique" UNIQUE("original");--> statement-breakpoint
CREATE OR REPLACE FUNCTION "import_goes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "unwanted_files" ("name")
	SELECT "name" FROM unnest(ARRAY[OLD."file", OLD."original"]) AS "name" WHERE "name" IS NOT NULL
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;

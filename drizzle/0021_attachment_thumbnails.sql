ALTER TABLE "attachments" ADD COLUMN "thumbnail_size" integer;--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_thumbnail_size" CHECK ("attachments"."thumbnail_size" between 1 and 61440);--> statement-breakpoint
CREATE OR REPLACE FUNCTION "files_are_unwanted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "unwanted_files" ("name")
		SELECT "filename" FROM "gone"
		UNION ALL SELECT "filename" || '-thumbnail' FROM "gone" WHERE "thumbnail_size" IS NOT NULL
		ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;

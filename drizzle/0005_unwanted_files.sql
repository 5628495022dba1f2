CREATE TABLE "unwanted_files" (
	"name" text PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "unwanted_files_due_at_index" ON "unwanted_files" USING btree ("due_at");--> statement-breakpoint
CREATE FUNCTION "files_are_unwanted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "unwanted_files" ("name") SELECT "filename" FROM "gone" ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "attachments_gone" AFTER DELETE ON "attachments" REFERENCING OLD TABLE AS "gone"
	FOR EACH STATEMENT EXECUTE FUNCTION "files_are_unwanted"();

CREATE TABLE "imports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"source" text NOT NULL,
	"file_name" text NOT NULL,
	"file" text NOT NULL,
	"bytes" bigint NOT NULL,
	"state" text DEFAULT 'ready' NOT NULL,
	"preview" jsonb NOT NULL,
	"choices" jsonb,
	"result" jsonb,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"board_id" integer,
	"error" text,
	"holder" text,
	"held_until" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "imports_file_unique" UNIQUE("file"),
	CONSTRAINT "imports_state" CHECK ("imports"."state" in ('ready', 'running', 'done', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_username_form";--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_email_lower";--> statement-breakpoint
ALTER TABLE "boards" ADD COLUMN "imported_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "imported_on" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "imported_email" text;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_board_id_boards_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."boards"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imports_user_id_index" ON "imports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "imports_board_id_index" ON "imports" USING btree ("board_id");--> statement-breakpoint
CREATE INDEX "imports_running" ON "imports" USING btree ("held_until") WHERE "imports"."state" = 'running';--> statement-breakpoint
CREATE INDEX "users_names_of_board" ON "users" USING btree ("imported_on","imported_email") WHERE "users"."imported_on" is not null;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_names" CHECK ("users"."imported_on" is null or ("users"."password" is null and "users"."email_verified_at" is null and "users"."disabled_at" is not null));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_username_form" CHECK ("users"."username" ~ case when "users"."imported_on" is null then '^[a-z0-9][a-z0-9._-]{2,29}$' else '^Name-[0-9a-f]{16}$' end);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_email_lower" CHECK (("users"."email" = lower("users"."email")) = ("users"."imported_on" is null));
--> statement-breakpoint
CREATE FUNCTION "names_go"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "users" WHERE "imported_on" = OLD."id";
	RETURN NULL;
END $$;
--> statement-breakpoint
-- After all that a board takes along, which is what names are for.
CREATE TRIGGER "names_go" AFTER DELETE ON "boards" FOR EACH ROW EXECUTE FUNCTION "names_go"();
--> statement-breakpoint
CREATE FUNCTION "import_goes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "unwanted_files" ("name") VALUES (OLD."file") ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "import_goes" AFTER DELETE ON "imports" FOR EACH ROW EXECUTE FUNCTION "import_goes"();

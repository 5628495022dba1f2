CREATE TABLE "former_usernames" (
	"username" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "show_email" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "former_usernames" ADD CONSTRAINT "former_usernames_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_usernames_user_id_index" ON "former_usernames" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "former_usernames_until_index" ON "former_usernames" USING btree ("until");
--> statement-breakpoint
CREATE FUNCTION "avatar_is_unwanted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "unwanted_files" ("name") VALUES ('avatar-' || substring(OLD."avatar" from '[^/]*$')) ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "avatar_replaced" AFTER UPDATE OF "avatar" ON "users" FOR EACH ROW
	WHEN (OLD."avatar" LIKE '/uploads/avatars/%' AND OLD."avatar" IS DISTINCT FROM NEW."avatar") EXECUTE FUNCTION "avatar_is_unwanted"();
--> statement-breakpoint
CREATE TRIGGER "avatar_gone" AFTER DELETE ON "users" FOR EACH ROW
	WHEN (OLD."avatar" LIKE '/uploads/avatars/%') EXECUTE FUNCTION "avatar_is_unwanted"();

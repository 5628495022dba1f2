ALTER TABLE "magic_links" DROP CONSTRAINT "magic_links_purpose";--> statement-breakpoint
ALTER TABLE "magic_links" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "magic_links" ADD CONSTRAINT "magic_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "magic_links_user_id_index" ON "magic_links" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "magic_links" ADD CONSTRAINT "magic_links_user" CHECK (("magic_links"."purpose" = 'change') = ("magic_links"."user_id" is not null));--> statement-breakpoint
ALTER TABLE "magic_links" ADD CONSTRAINT "magic_links_purpose" CHECK ("magic_links"."purpose" in ('sign-in', 'reset', 'confirm', 'change'));
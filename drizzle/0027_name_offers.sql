CREATE TABLE "name_offers" (
	"name_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"offered" boolean NOT NULL,
	"answer" text,
	CONSTRAINT "name_offers_name_id_user_id_pk" PRIMARY KEY("name_id","user_id"),
	CONSTRAINT "name_offers_answer" CHECK ("name_offers"."answer" in ('yes', 'no'))
);
--> statement-breakpoint
ALTER TABLE "name_offers" ADD CONSTRAINT "name_offers_name_id_users_id_fk" FOREIGN KEY ("name_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "name_offers" ADD CONSTRAINT "name_offers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "name_offers_user_id_index" ON "name_offers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "name_offers_offered" ON "name_offers" USING btree ("name_id") WHERE "name_offers"."offered";--> statement-breakpoint
CREATE UNIQUE INDEX "name_offers_accepted" ON "name_offers" USING btree ("name_id") WHERE "name_offers"."answer" = 'yes';
CREATE TABLE "operator_acts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operator_acts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"did" text NOT NULL,
	"by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operator_acts_did" CHECK ("operator_acts"."did" in ('made_link', 'link_used', 'changed_email', 'proved_email'))
);
--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "setup_token" text;--> statement-breakpoint
ALTER TABLE "magic_links" ADD COLUMN "operator_act_id" integer;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "operator_act_id" integer;--> statement-breakpoint
ALTER TABLE "operator_acts" ADD CONSTRAINT "operator_acts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_acts_user_id_index" ON "operator_acts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "operator_acts_created_at_index" ON "operator_acts" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "magic_links" ADD CONSTRAINT "magic_links_operator_act_id_operator_acts_id_fk" FOREIGN KEY ("operator_act_id") REFERENCES "public"."operator_acts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_operator_act_id_operator_acts_id_fk" FOREIGN KEY ("operator_act_id") REFERENCES "public"."operator_acts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "magic_links_operator_act_id_index" ON "magic_links" USING btree ("operator_act_id");--> statement-breakpoint
CREATE INDEX "sessions_operator_act_id_index" ON "sessions" USING btree ("operator_act_id");
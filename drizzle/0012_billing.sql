CREATE TABLE "billing" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"reference" text DEFAULT gen_random_uuid()::text NOT NULL,
	"email" text NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"subscription_id" text,
	"status" text,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"current_period_end" timestamp (3) with time zone,
	"grace_until" timestamp (3) with time zone,
	"is_pro" boolean DEFAULT false NOT NULL,
	"look_at" timestamp (3) with time zone,
	CONSTRAINT "billing_reference_unique" UNIQUE("reference")
);
--> statement-breakpoint
CREATE TABLE "departed_customers" (
	"reference" text PRIMARY KEY NOT NULL,
	"customer_id" text,
	"email" text,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "billing" ADD CONSTRAINT "billing_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_look" ON "billing" USING btree ("look_at") WHERE "billing"."look_at" is not null;--> statement-breakpoint
CREATE INDEX "departed_customers_due_at_index" ON "departed_customers" USING btree ("due_at");
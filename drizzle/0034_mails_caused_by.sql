ALTER TABLE "mails" ADD COLUMN "caused_by" integer;--> statement-breakpoint
CREATE INDEX "mails_caused_by_index" ON "mails" USING btree ("caused_by");
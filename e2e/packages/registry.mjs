// A registry of npm on this machine that has our scope alone, as built: what `npm install` resolves is then what it will
// resolve once the packages are published. A platform that was not built is a package that is not there.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

import { manifestOf, tarballs } from "./artefacts.mjs";

/** Serves the tarballs until `close()`; `url` is what npm is told. Sends it `elsewhere`, a registry, for all other packages. */
export async function openRegistry({ elsewhere } = {}) {
  const packages = new Map(tarballs().map((file) => [manifestOf(file).name, file]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname).slice(1);
    const [name, download] = path.split("/-/");
    const file = packages.get(name);
    if (!file && elsewhere)
      return response.writeHead(302, { location: new URL(request.url.slice(1), elsewhere) }).end();
    if (!file) return response.writeHead(404, { "content-type": "application/json" }).end("{}");
    if (download) return response.end(readFileSync(file));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(packument(name, file, `http://localhost:${server.address().port}`)));
  });
  await new Promise((ready) => server.listen(0, "localhost", ready));
  return { url: `http://localhost:${server.address().port}/`, close: () => server.close() };
}

function packument(name, file, url) {
  const manifest = manifestOf(file);
  const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  const dist = { tarball: `${url}/${name}/-/package.tgz`, integrity };
  return {
    name,
    "dist-tags": { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
  };
}

// Makes the npm packages that are published: node scripts/packaging/packages.mjs ADDONS OUT
// `honeyguide` and `honeyguide-local` without any addon, one package per platform (napi's standard layout) for each addon
// found in ADDONS, and the adapters. Knows nothing of how an addon is built.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [addons, out] = process.argv.slice(2).map((path) => resolve(path));
if (!out) throw new Error("usage: node scripts/packaging/packages.mjs ADDONS OUT");
const stage = join(root, ".build/packages");
rmSync(stage, { recursive: true, force: true });

const folders = [];
const missing = new Set();
stageWithAddons("bindings/node", "THIRD-PARTY-NOTICES.txt");
stageWithAddons("bindings/local-node", "bindings/local-python/THIRD-PARTY-NOTICES.txt");

for (const adapter of readdirSync(join(root, "adapters"))) {
  const folder = join(stage, adapter);
  writeManifest(folder, stagePackage(`adapters/${adapter}`, folder));
  folders.push(folder);
}

for (const folder of folders) {
  const licences = ["LICENSE-APACHE", "LICENSE-MIT"];
  for (const licence of licences) cpSync(join(root, licence), join(folder, licence));
  const own = readManifest(folder);
  // npm takes only a plain `LICENSE` along by itself.
  writeManifest(folder, { ...own, files: [...own.files, ...licences] });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", out], { cwd: folder });
}
console.log(
  `${folders.length} npm packages; platforms without an addon here: ${[...missing].join(", ") || "none"}`,
);

/** Stages a package without its addon, and a package for each platform whose addon is there. */
function stageWithAddons(source, notices) {
  const main = join(stage, source);
  const manifest = stagePackage(source, main);
  const { napi: configuration, ...published } = manifest;
  // napi reads the platforms from the manifest, so its list stands in one place.
  napi("create-npm-dirs", "--cwd", main);
  const platforms = readdirSync(join(main, "npm"));
  const built = readdirSync(addons).filter((file) => file.startsWith(`${configuration.binaryName}.`));
  if (built.length === 0) throw new Error(`there is no addon of ${manifest.name} in ${addons}`);
  folders.push(main);
  for (const addon of built) {
    const platform = addon.split(".").at(-2);
    const folder = join(stage, `${manifest.name}-${platform}`);
    cpSync(join(main, "npm", platform), folder, { recursive: true });
    cpSync(join(addons, addon), join(folder, addon));
    cpSync(join(root, notices), join(folder, "THIRD-PARTY-NOTICES.txt"));
    const own = readManifest(folder);
    writeManifest(folder, { ...own, files: [...own.files, "THIRD-PARTY-NOTICES.txt"] });
    folders.push(folder);
  }
  rmSync(join(main, "npm"), { recursive: true });
  writeManifest(main, {
    ...published,
    files: published.files.filter((pattern) => !pattern.endsWith(".node")),
    // The version of exactly this release: the facade and the addon are one program.
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [`${configuration.packageName}-${platform}`, manifest.version]),
    ),
  });
  for (const platform of platforms) {
    if (!built.some((addon) => addon.includes(`.${platform}.`))) missing.add(platform);
  }
}

/** Copies what a package publishes, and returns its manifest without what only its development needs. */
function stagePackage(source, folder) {
  const { scripts, devDependencies, ...kept } = readManifest(join(root, source));
  mkdirSync(folder, { recursive: true });
  for (const name of ["bin", "dist", "README.md"]) {
    const part = join(root, source, name);
    if (existsSync(part)) cpSync(part, join(folder, name), { recursive: true });
  }
  writeManifest(folder, kept);
  return kept;
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function writeManifest(folder, manifest) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

function napi(...args) {
  execFileSync(join(root, "node_modules/.bin/napi"), args, { stdio: "pipe" });
}

// Reads the USD layers in this folder with tinyusdz, and checks what it finds. Written for usd.sh.
import fs from "fs";

process.type = "renderer"; // the package is built for browsers, and refuses to start in node otherwise
globalThis.WorkerGlobalScope = class {};
const { default: init } = await import("tinyusdz/tinyusdz.js");
const wasm = fs.readFileSync("node_modules/tinyusdz/tinyusdz.wasm");
const parser = await init({
  instantiateWasm(imports, done) {
    WebAssembly.instantiate(wasm, imports).then((made) => done(made.instance, made.module));
    return {};
  },
});

let failed = 0;
function check(isTrue, text) {
  if (isTrue) return;
  console.log(`FAILED: ${text}`);
  ++failed;
}

function read(bytes, name) {
  const loader = new parser.TinyUSDZLoaderNative();
  return loader.loadFromBinary(bytes, name) ? loader : null;
}

for (const file of fs.readdirSync(".").filter((name) => name.endsWith(".usda"))) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const text = new TextDecoder().decode(bytes);
  const loader = read(bytes, file);
  check(loader, `${file} cannot be read`);
  if (!loader) continue;
  const meshes = (text.match(/def Mesh /g) ?? []).length;
  check(loader.numMeshes() === meshes, `${file}: ${loader.numMeshes()} meshes were read of ${meshes}`);
  const names = [];
  const walk = (node) => { names.push(node.primName); (node.children ?? []).forEach(walk); };
  walk(loader.getDefaultRootNode());
  for (const name of ["shot", "camera", "lights", "bodies"]) check(names.includes(name), `${file}: ${name} is missing`);
  for (let i = 0; i < meshes; ++i) {
    const mesh = loader.getMesh(i);
    check(mesh.points.length > 0 && mesh.points.every(Number.isFinite), `${file}: mesh ${i} has no points`);
  }
  const broken = text.replace("def Camera", "def Camera {");
  check(!read(new TextEncoder().encode(broken), file), `${file}: the parser takes a broken layer too`);
  console.log(`${file}: ${names.length} prims, ${meshes} meshes`);
}
process.exit(failed ? 1 : 0);

const bytes = Uint8Array.from(atob(document.getElementById("glb").textContent.trim()), c => c.charCodeAt(0));
const chunk = new DataView(bytes.buffer).getUint32(12, true);
const gltf = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + chunk)));
function array(k) {
  const a = gltf.accessors[k], v = gltf.bufferViews[a.bufferView], size = { SCALAR: 1, VEC3: 3, VEC4: 4 }[a.type];
  return new ({ 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array })[a.componentType](bytes.buffer.slice(28 + chunk + v.byteOffset, 28 + chunk + v.byteOffset + v.byteLength), 0, a.count * size);
}
const canvas = document.getElementById("view"), gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
if (!gl) document.querySelector("figcaption").prepend("This page needs WebGL 2. ");
function shader(kind, text) {
  const s = gl.createShader(kind);
  gl.shaderSource(s, text);
  gl.compileShader(s);
  return s;
}
const program = gl.createProgram();
gl.attachShader(program, shader(gl.VERTEX_SHADER, `#version 300 es
in vec3 p, n; uniform mat4 m, v; uniform vec4 e; out vec3 d, w;
void main() { w = (vec3(m * vec4(p, 1.)) - e.xyz) * e.w; mat3 r = mat3(m); d = r[0] * (n.x / dot(r[0], r[0])) + r[1] * (n.y / dot(r[1], r[1])) + r[2] * (n.z / dot(r[2], r[2])); gl_Position = v * m * vec4(p, 1.); }`));
gl.attachShader(program, shader(gl.FRAGMENT_SHADER, `#version 300 es
precision highp float; in vec3 d, w; uniform vec4 c; uniform vec3 l; uniform bool f; out vec4 o;
void main() { vec3 a = f ? cross(dFdx(w), dFdy(w)) : d; float s = dot(a, a) > 0. ? .45 + .55 * abs(dot(normalize(a), l)) : 1.; o = vec4(pow(c.rgb * s * s, vec3(1. / 2.2)), c.a); }`));
gl.bindAttribLocation(program, 0, "p");
gl.bindAttribLocation(program, 1, "n");
gl.linkProgram(program);
gl.useProgram(program);
const uniform = name => gl.getUniformLocation(program, name);
const uModel = uniform("m"), uView = uniform("v"), uColour = uniform("c"), uLight = uniform("l"), uFlat = uniform("f"), uEye = uniform("e");
function buffer(target, data) { gl.bindBuffer(target, gl.createBuffer()); gl.bufferData(target, data, gl.STATIC_DRAW); }
const meshes = gltf.meshes.map(mesh => {
  const part = mesh.primitives[0], vao = gl.createVertexArray();
  gl.bindVertexArray(vao);
  [["POSITION", 0], ["NORMAL", 1]].forEach(([name, k]) => {
    if (part.attributes[name] === undefined) return;
    buffer(gl.ARRAY_BUFFER, array(part.attributes[name]));
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 0, 0);
  });
  if (part.indices !== undefined) buffer(gl.ELEMENT_ARRAY_BUFFER, array(part.indices));
  return { vao, mode: part.mode === undefined ? gl.TRIANGLES : part.mode, colour: gltf.materials[part.material].pbrMetallicRoughness.baseColorFactor,
    count: gltf.accessors[part.indices === undefined ? part.attributes.POSITION : part.indices].count, indexed: part.indices !== undefined,
    flat: part.indices !== undefined && part.attributes.NORMAL === undefined, wide: part.indices === undefined ? 0 : gltf.accessors[part.indices].componentType };
});
const channels = ((gltf.animations || [])[0] || { channels: [] }).channels.map(one => {
  const s = gltf.animations[0].samplers[one.sampler];
  return { node: gltf.nodes[one.target.node], path: one.target.path, times: array(s.input), values: array(s.output) };
});
function sample(one, t) {
  const n = one.times.length, w = one.values.length / n;
  let a = 0, b = Math.max(0, n - 1);
  while (b - a > 1) { const k = (a + b) >> 1; if (one.times[k] <= t) a = k; else b = k; }
  let f = b > a ? (t - one.times[a]) / (one.times[b] - one.times[a]) : 0;
  f = Math.min(1, Math.max(0, f));
  const x = one.values.subarray(a * w, a * w + w), y = one.values.subarray(b * w, b * w + w);
  let g = 1 - f;
  if (w === 4) {
    let c = x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3], sign = c < 0 ? -1 : 1;
    const angle = Math.acos(Math.min(1, c * sign));
    if (angle > 1e-4) { g = Math.sin(g * angle) / Math.sin(angle); f = Math.sin(f * angle) / Math.sin(angle); }
    f *= sign;
  }
  one.node[one.path] = Array.from(x, (u, k) => g * u + f * y[k]);
}
function local(node) {
  const [x, y, z, w] = node.rotation || [0, 0, 0, 1], [a, b, c] = node.scale || [1, 1, 1], [p, q, r] = node.translation || [0, 0, 0];
  return [a * (1 - 2 * (y * y + z * z)), 2 * a * (x * y + z * w), 2 * a * (x * z - y * w), 0, 2 * b * (x * y - z * w), b * (1 - 2 * (x * x + z * z)), 2 * b * (y * z + x * w), 0,
    2 * c * (x * z + y * w), 2 * c * (y * z - x * w), c * (1 - 2 * (x * x + y * y)), 0, p, q, r, 1];
}
function times(a, b) {
  const c = new Array(16);
  for (let j = 0; j < 4; ++j) for (let i = 0; i < 4; ++i) { let s = 0; for (let k = 0; k < 4; ++k) s += a[4 * k + i] * b[4 * j + k]; c[4 * j + i] = s; }
  return c;
}
let azimuth = @AZIMUTH@, elevation = @ELEVATION@, zoom = 1;
const middle = @CENTRE@, half = @HALF@, followed = { node: {}, path: "place", times: @TIMES@, values: Float64Array.from(@PLACES@.flat()) };
delete gltf.nodes[gltf.scenes[0].nodes[0]].translation; // all is drawn from where the root is: numbers stay small
function draw(number, above, clear) {
  const node = gltf.nodes[number], matrix = times(above, local(node));
  const mesh = meshes[node.mesh];
  if (mesh && mesh.colour[3] < 1 === clear) {
    gl.bindVertexArray(mesh.vao);
    gl.vertexAttrib3f(1, 0, 0, 0);
    gl.uniform1i(uFlat, mesh.flat ? 1 : 0);
    gl.uniformMatrix4fv(uModel, false, matrix);
    gl.uniform4fv(uColour, mesh.colour);
    if (mesh.indexed) gl.drawElements(mesh.mode, mesh.count, mesh.wide, 0); else gl.drawArrays(mesh.mode, 0, mesh.count);
  }
  (node.children || []).forEach(k => draw(k, matrix, clear));
}
function show(share) {
  const wide = Math.round(canvas.clientWidth * devicePixelRatio), high = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== wide || canvas.height !== high) { canvas.width = wide; canvas.height = high; }
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.enable(gl.DEPTH_TEST);
  gl.clearColor(1, 1, 1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  channels.forEach(one => sample(one, share * duration));
  sample(followed, share);
  const centre = middle.map((e, k) => e + followed.node.place[k]);
  const ca = Math.cos(azimuth), sa = Math.sin(azimuth), ce = Math.cos(elevation), se = Math.sin(elevation);
  const right = [ca, 0, -sa], up = [-sa * se, ce, -ca * se], eye = [sa * ce, se, ca * ce];
  const aspect = canvas.width / canvas.height, k = zoom / half / Math.max(1, 1 / aspect);
  const s = [k / aspect, k, -k / 20], rows = [right, up, eye], view = new Array(16).fill(0);
  rows.forEach((row, i) => { row.forEach((e, j) => view[4 * j + i] = s[i] * e); view[12 + i] = -s[i] * (row[0] * centre[0] + row[1] * centre[1] + row[2] * centre[2]); });
  view[15] = 1;
  gl.uniformMatrix4fv(uView, false, view);
  gl.uniform4f(uEye, ...centre, 1 / half);
  const light = [0, 1, 2].map(i => .35 * right[i] + .55 * up[i] + .75 * eye[i]);
  gl.uniform3fv(uLight, light);
  gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  for (const clear of [false, true]) { // what light passes after all else, behind which it hides nothing
    gl[clear ? "enable" : "disable"](gl.BLEND);
    gl.depthMask(!clear);
    draw(gltf.scenes[0].nodes[0], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], clear);
  }
  gl.depthMask(true);
}
canvas.onpointerdown = event => canvas.setPointerCapture(event.pointerId);
canvas.onpointermove = event => {
  if (!event.buttons) return;
  azimuth -= event.movementX * .01;
  elevation = Math.max(-1.57, Math.min(1.57, elevation + event.movementY * .01));
};
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom *= Math.exp(-event.deltaY * .001); }, { passive: false });

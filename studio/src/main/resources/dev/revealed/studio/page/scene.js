// A robot in 3-D. It imports nothing, so that an exported page can hold it as it is.

const LIMBS = ['#4c78c9', '#e39b3b', '#3aa17e', '#c95c8b', '#8a6fd1', '#a08a45', '#39a6ba', '#d2694a', '#7b8794'];

/** Arrays of a safetensors file, viewed where they lie. */
export function arrays(buffer) {
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const found = {notes: header.__metadata__ || {}};
  delete header.__metadata__;
  for (const [name, {dtype, shape, data_offsets: [begin, end]}] of Object.entries(header)) {
    const type = dtype === 'F64' ? Float64Array : Float32Array;
    found[name] = {shape, values: new type(buffer, 8 + length + begin, (end - begin) / type.BYTES_PER_ELEMENT)};
  }
  return found;
}

/** From blue (low) over grey to yellow (high). */
export function heat(share) {
  const low = [38, 84, 170], mid = [150, 150, 150], high = [250, 190, 40];
  const [a, b, t] = share < 0.5 ? [low, mid, share * 2] : [mid, high, share * 2 - 1];
  return a.map((value, i) => (value + (b[i] - value) * t) / 255);
}

export class Stage {
  constructor(three, canvas, shapes, colours) {
    this.three = three;
    this.canvas = canvas;
    this.shapes = shapes;
    const probe = document.createElement('canvas').getContext('webgl2');
    if (!probe) throw new Error('This browser has no WebGL.');
    const info = probe.getExtension('WEBGL_debug_renderer_info');
    this.slow = /swiftshader|llvmpipe|software/i.test(info ? probe.getParameter(info.UNMASKED_RENDERER_WEBGL) : '');
    this.renderer = new three.WebGLRenderer({canvas, antialias: !this.slow});
    this.renderer.setPixelRatio(this.slow ? 1 : Math.min(2, devicePixelRatio));
    this.renderer.shadowMap.enabled = !this.slow;
    this.scene = new three.Scene();
    this.camera = new three.PerspectiveCamera(38, 1, 0.2, 120);
    this.camera.up.set(0, 0, 1);
    this.yaw = -1.25;
    this.pitch = 0.22;
    this.distance = 4.6;
    this.follow = true;
    this.centre = new three.Vector3(0, 0, 0.8);
    this.sun = new three.DirectionalLight('#ffffff', 2.2);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    Object.assign(this.sun.shadow.camera, {left: -4, right: 4, top: 4, bottom: -4, near: 0.5, far: 20});
    this.scene.add(this.sun, this.sun.target, new three.HemisphereLight('#ffffff', '#8a93a0', 1.6));
    this.cell = 1;
    this.floor = new three.Mesh(new three.PlaneGeometry(120, 120), new three.MeshStandardMaterial({roughness: 1}));
    this.floor.receiveShadow = true;
    this.scene.add(this.floor);
    this.paint(colours);
    this.robots = [];
    this.control();
  }

  paint({sky, floor, line}) {
    this.scene.background = new this.three.Color(sky);
    this.scene.fog = new this.three.Fog(sky, 14, 48);
    this.floor.material.map = this.tiles(floor, line);
    this.floor.material.needsUpdate = true;
  }

  /** Tiles of a metre as a texture: long lines are not clipped well everywhere. */
  tiles(floor, line) {
    const {three} = this;
    const tile = document.createElement('canvas');
    tile.width = tile.height = 256;
    const c = tile.getContext('2d');
    c.fillStyle = floor;
    c.fillRect(0, 0, 256, 256);
    c.strokeStyle = line;
    c.lineWidth = 5;
    c.strokeRect(0, 0, 256, 256);
    const texture = new three.CanvasTexture(tile);
    texture.colorSpace = three.SRGBColorSpace;
    texture.wrapS = texture.wrapT = three.RepeatWrapping;
    texture.repeat.set(120, 120);
    texture.anisotropy = this.slow ? 4 : 16;
    return texture;
  }

  /** A robot that moves as an episode says; ghosts are seen through. */
  add(episode, {ghost = false, beside = 0, rewards = null} = {}) {
    const {three} = this;
    const root = new three.Group();
    root.position.y = beside;
    const bodies = Array.from({length: this.shapes.bodies}, () => new three.Group());
    for (const geom of this.shapes.geoms) {
      if (geom.body === 0) continue;
      const material = new three.MeshStandardMaterial({
        color: ghost ? '#9aa4b1' : LIMBS[(geom.body - 1) % LIMBS.length], roughness: 0.55, transparent: ghost, opacity: ghost ? 0.38 : 1,
        polygonOffset: true, polygonOffsetFactor: geom.body % 3,
      });
      const mesh = new three.Mesh(this.geometry(geom), material);
      mesh.castShadow = !ghost;
      mesh.position.set(...geom.place);
      const [w, x, y, z] = geom.quaternion;
      mesh.quaternion.set(x, y, z, w);
      bodies[geom.body - 1].add(mesh);
    }
    root.add(...bodies);
    this.scene.add(root);
    const robot = {root, bodies, poses: episode.poses, frames: episode.poses.shape[0], ghost};
    robot.touch = ghost ? null : this.touching(robot);
    if (rewards) root.add(this.trail(robot, rewards));
    this.robots.push(robot);
    return robot;
  }

  /** Rings on the floor below parts that touch it: lowest points of round shapes within a centimetre of it. */
  touching(robot) {
    const {three} = this;
    const material = new three.MeshBasicMaterial({color: '#e0322f', transparent: true, opacity: 0.85});
    const points = [];
    for (const geom of this.shapes.geoms) {
      if (geom.body === 0 || !['capsule', 'sphere', 'cylinder', 'ellipsoid'].includes(geom.type)) continue;
      const [w, x, y, z] = geom.quaternion, q = new three.Quaternion(x, y, z, w);
      for (const end of geom.type === 'capsule' || geom.type === 'cylinder' ? [-1, 1] : [0]) {
        const ring = new three.Mesh(new three.RingGeometry(geom.size[0] * 0.9, geom.size[0] * 0.9 + 0.025, 24), material);
        ring.visible = false;
        robot.root.add(ring);
        points.push({ring, body: geom.body - 1, radius: geom.size[0], place: new three.Vector3(0, 0, end * geom.size[1]).applyQuaternion(q).add(new three.Vector3(...geom.place))});
      }
    }
    return points;
  }

  /** The bodies that touch the floor now. */
  contacts(robot) {
    const at = this.at ??= new this.three.Vector3();
    const found = new Set();
    for (const point of robot.touch ?? []) {
      const body = robot.bodies[point.body];
      at.copy(point.place).applyQuaternion(body.quaternion).add(body.position);
      const touches = at.z - point.radius < 0.01;
      point.ring.visible = touches && this.showContacts;
      point.ring.position.set(at.x, at.y, 0.014);
      if (touches) found.add(point.body);
    }
    return found.size;
  }

  geometry({type, size}) {
    const {three} = this;
    switch (type) {
      case 'sphere': return new three.SphereGeometry(size[0], 24, 16);
      case 'capsule': return new three.CapsuleGeometry(size[0], 2 * size[1], 8, 20).rotateX(Math.PI / 2);
      case 'cylinder': return new three.CylinderGeometry(size[0], size[0], 2 * size[1], 20).rotateX(Math.PI / 2);
      case 'ellipsoid': return new three.SphereGeometry(1, 24, 16).scale(...size);
      default: return new three.BoxGeometry(...size.map(half => 2 * half));
    }
  }

  /** The path of the torso on the floor, coloured by how high the reward was there. */
  trail(robot, rewards) {
    const {three} = this;
    const sorted = [...rewards].sort((a, b) => a - b);
    const low = sorted[Math.floor(0.02 * sorted.length)], high = sorted[Math.floor(0.98 * (sorted.length - 1))];
    const places = [], colours = [];
    for (let t = 0; t < rewards.length; t++) {
      const at = t * robot.bodies.length * 7;
      places.push(robot.poses.values[at], robot.poses.values[at + 1], 0.012);
      colours.push(...heat(high > low ? Math.min(1, Math.max(0, (rewards[t] - low) / (high - low))) : 0.5));
    }
    const geometry = new three.BufferGeometry();
    geometry.setAttribute('position', new three.Float32BufferAttribute(places, 3));
    geometry.setAttribute('color', new three.Float32BufferAttribute(colours, 3));
    return new three.Points(geometry, new three.PointsMaterial({size: 7, sizeAttenuation: false, vertexColors: true}));
  }

  clear() {
    for (const robot of this.robots) robot.root.removeFromParent();
    this.robots = [];
  }

  /** Shows a moment, between frames too. */
  show(time) {
    const {three} = this;
    const q = this.q ??= new three.Quaternion();
    for (const robot of this.robots) {
      const t = Math.min(time, robot.frames - 1);
      const first = Math.floor(t), share = t - first;
      const values = robot.poses.values, width = robot.bodies.length * 7;
      const next = share > 0 ? first + 1 : first;
      robot.bodies.forEach((body, b) => {
        const a = first * width + b * 7, n = next * width + b * 7;
        body.position.set(
          values[a] + share * (values[n] - values[a]), values[a + 1] + share * (values[n + 1] - values[a + 1]), values[a + 2] + share * (values[n + 2] - values[a + 2]));
        body.quaternion.set(values[a + 4], values[a + 5], values[a + 6], values[a + 3]);
        if (share > 0) body.quaternion.slerp(q.set(values[n + 4], values[n + 5], values[n + 6], values[n + 3]), share);
      });
    }
    this.touches = 0;
    for (const robot of this.robots) this.touches += this.contacts(robot);
    const lead = this.robots[0];
    if (lead && this.follow) {
      const torso = lead.bodies[0].position;
      this.centre.set(torso.x, torso.y + lead.root.position.y / 2, Math.max(0.45, 0.75 * torso.z));
    }
    this.draw();
  }

  draw() {
    const {camera, centre, floor, cell, sun} = this;
    floor.position.set(Math.round(centre.x / cell) * cell, Math.round(centre.y / cell) * cell, 0);
    sun.position.set(centre.x - 2, centre.y - 3, 7);
    sun.target.position.copy(centre);
    const flat = Math.cos(this.pitch) * this.distance;
    camera.position.set(centre.x + Math.cos(this.yaw) * flat, centre.y + Math.sin(this.yaw) * flat, Math.max(0.1, centre.z + Math.sin(this.pitch) * this.distance));
    camera.lookAt(centre);
    const {clientWidth, clientHeight} = this.canvas.parentElement;
    if (this.wide !== clientWidth || this.tall !== clientHeight) {
      this.wide = clientWidth;
      this.tall = clientHeight;
      this.renderer.setSize(clientWidth, clientHeight, false);
      camera.aspect = clientWidth / Math.max(1, clientHeight);
      camera.updateProjectionMatrix();
    }
    this.renderer.render(this.scene, camera);
  }

  /** Drag to turn, wheel to come nearer, drag with the right button to move. */
  control() {
    const {canvas} = this;
    let last = null;
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('pointerdown', event => { last = event; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener('pointerup', () => { last = null; });
    canvas.addEventListener('pointermove', event => {
      if (!last) return;
      const dx = event.clientX - last.clientX, dy = event.clientY - last.clientY;
      last = event;
      if (event.buttons === 2 || event.shiftKey) {
        this.follow = false;
        const scale = this.distance / 700;
        this.centre.x += scale * (Math.sin(this.yaw) * dx);
        this.centre.y -= scale * (Math.cos(this.yaw) * dx);
        this.centre.z += scale * dy;
      } else {
        this.yaw -= dx / 200;
        this.pitch = Math.max(-0.1, Math.min(1.5, this.pitch + dy / 250));
      }
      this.draw();
    });
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.distance = Math.max(1, Math.min(40, this.distance * Math.exp(event.deltaY / 900)));
      this.draw();
    }, {passive: false});
  }

  close() {
    this.clear();
    this.renderer.dispose();
  }
}

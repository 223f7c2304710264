// Opens the photographs of a page to be looked at closely: by wheel, pinch, the keys + - 0 and the arrows, and in full
// screen. Without this script, a photograph is a link to its widest source.
const largest = 8
const dialog = document.querySelector('.magnifier')
const near = dialog.querySelector('.near')
const picture = near.querySelector('img')
const view = { scale: 1, x: 0, y: 0 }

// Enlarges about a point, from the middle of the frame, and moves. The picture never leaves its frame.
function change(by, dx = 0, dy = 0, point = { x: 0, y: 0 }) {
  const scale = Math.min(largest, Math.max(1, view.scale * by))
  const place = (last, at, moved, length) => {
    const most = (length * (scale - 1)) / 2
    return Math.min(most, Math.max(-most, at - ((at - last) * scale) / view.scale + moved))
  }
  view.x = place(view.x, point.x, dx, near.clientWidth)
  view.y = place(view.y, point.y, dy, near.clientHeight)
  view.scale = scale
  picture.style.transform = `translate(${view.x}px, ${view.y}px) scale(${scale})`
}

function locate({ clientX, clientY }) {
  const { left, top, width, height } = near.getBoundingClientRect()
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
}

// A dialog itself cannot fill the screen.
const toggleFullScreen = () =>
  (document.fullscreenElement ? document.exitFullscreen() : dialog.firstElementChild.requestFullscreen()).catch(
    () => undefined,
  )

const stride = 80
const actions = {
  '+': () => change(1.5),
  '=': () => change(1.5),
  '-': () => change(1 / 1.5),
  0: () => change(0),
  f: () => void toggleFullScreen(),
  Escape: () => dialog.close(),
  ArrowLeft: () => change(1, stride),
  ArrowRight: () => change(1, -stride),
  ArrowUp: () => change(1, 0, stride),
  ArrowDown: () => change(1, 0, -stride),
}

dialog.addEventListener('keydown', (event) => {
  // Escape closes the dialog by itself, after it has left full screen.
  if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Escape' || !actions[event.key]) return
  event.preventDefault()
  actions[event.key]()
})
dialog.addEventListener('click', ({ target }) => actions[target.dataset.key]?.())
dialog.addEventListener('close', () => {
  if (document.fullscreenElement) void toggleFullScreen()
})

near.addEventListener(
  'wheel',
  (event) => {
    event.preventDefault()
    // Trackpads report a pinch as a turn of the wheel with Control, in small steps.
    change(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), 0, 0, locate(event))
  },
  { passive: false },
)

const fingers = new Map()
near.addEventListener('pointerdown', (event) => {
  near.setPointerCapture(event.pointerId)
  fingers.set(event.pointerId, locate(event))
})
near.addEventListener('pointermove', (event) => {
  const before = fingers.get(event.pointerId)
  if (!before) return
  const now = locate(event)
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
  fingers.set(event.pointerId, now)
  if (!other) return change(1, now.x - before.x, now.y - before.y)
  const away = (point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y))
  const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
  return change(away(now) / away(before), (now.x - before.x) / 2, (now.y - before.y) / 2, middle)
})
for (const end of ['pointerup', 'pointercancel'])
  near.addEventListener(end, ({ pointerId }) => void fingers.delete(pointerId))

let chosen
for (const link of document.querySelectorAll('a.photograph'))
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const shown = link.querySelector('img')
    // What the page shows stands there until the widest source has come.
    picture.src = shown.currentSrc
    picture.alt = shown.alt
    const widest = new Image()
    widest.addEventListener('load', () => {
      if (chosen === widest) picture.src = widest.src
    })
    widest.src = link.href
    chosen = widest
    change(0)
    dialog.showModal()
  })

import './start.ts'
import './styles/base.css'
import './styles/frame.css'
import './styles/wall.css'
import { loadPart } from './parts/load.ts'

const { draw } = await loadPart(() => import('./app.tsx'))
draw(document.getElementById('window')!)

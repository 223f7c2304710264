import './styles/base.css'
import './styles/frame.css'
import './styles/wall.css'
import './styles/lot.css'
import './styles/pictures.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeKeyFromAddress } from './api/index.ts'

takeKeyFromAddress()
createRoot(document.getElementById('window')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

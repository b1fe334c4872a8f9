import { render } from 'preact'
import { App } from './app.tsx'
import { followChanges } from './live.ts'
import { openSession, requireSignIn } from './session.ts'
import { texts } from './texts.ts'

render(<App />, document.getElementById('app') as HTMLElement)
openSession().catch(() => requireSignIn(texts.unreachable))
followChanges()

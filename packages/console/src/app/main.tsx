import { render } from 'preact'
import { consolePaths } from '../console-paths.ts'
import { App, preloadPage } from './app.tsx'
import { followChanges } from './live.ts'
import { basePath } from './server-settings.ts'
import { openSession, requireSignIn, signInReason } from './session.ts'
import { texts } from './texts.ts'

render(<App />, document.getElementById('app') as HTMLElement)
preloadPage()
signIn().catch(() => requireSignIn(texts.unreachable))
followChanges()

/** Opens the session, which begins now when an issuer has sent the person back. */
async function signIn(): Promise<void> {
  if (location.pathname === `${basePath}${consolePaths.signedIn}`) {
    const { finishIssuerSignIn } = await import('./issuer-sign-in.ts')
    if (!(await finishIssuerSignIn())) signInReason.value = texts.signIn.issuerRefused
  }
  await openSession()
}

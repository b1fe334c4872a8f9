import { useState } from 'preact/hooks'
import { TextField } from '../components/fields.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { session, signInReason, signInWith } from '../session.ts'
import { texts } from '../texts.ts'

/** The page for people whom the host application has not identified. */
export function SignIn() {
  const [token, setToken] = useState('')
  return (
    <main class="panel sign-in">
      <PageTitle title={texts.signIn.title} />
      <p role="alert" class="error">
        {signInReason.value}
      </p>
      <IssuerButton />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void signInWith(token.trim()).catch(() => {
            signInReason.value = texts.unreachable
          })
        }}
      >
        <TextField
          label={texts.signIn.token}
          help={texts.signIn.help}
          type="password"
          autocomplete="off"
          required
          value={token}
          onValue={setToken}
        />
        <button type="submit" class="primary">
          {texts.signIn.submit}
        </button>
      </form>
    </main>
  )
}

/** Sends the person to the issuer of the server, where there is one. */
function IssuerButton() {
  const issuer = session.value?.issuer
  if (issuer === undefined) return null
  const go = async () => {
    const { goToIssuer } = await import('../issuer-sign-in.ts')
    await goToIssuer().catch(() => {
      signInReason.value = texts.signIn.issuerUnreachable
    })
  }
  return (
    <p>
      <button type="button" class="primary" onClick={() => void go()}>
        {texts.signIn.atIssuer(issuer)}
      </button>
    </p>
  )
}

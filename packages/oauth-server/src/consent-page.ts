import { type AuthorizationRequest, repeatedNames } from './authorization-request.ts'

/** The style of all pages. */
export const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem; color: #1b1f24; background: #fff; }
h1 { font-size: 1.4rem; }
code { overflow-wrap: anywhere; }
label, input { display: block; width: 100%; box-sizing: border-box; font: inherit; }
input { padding: .5rem; margin: .25rem 0 1rem; }
button { font: inherit; padding: .5rem 1.25rem; margin-right: .5rem; }
.failure { color: #a40e26; }
@media (prefers-color-scheme: dark) { body { color: #e6e9ed; background: #16191d; } .failure { color: #ff8f9c; } }
`

/** The content of the consent page. */
export interface ConsentView {
  readonly request: AuthorizationRequest
  /** URL to which the form is sent. */
  readonly action: string
  readonly styleUrl: string
  /** Value of the consent cookie. */
  readonly csrf: string
  /** E-mail address or id of the person who is signed in; undefined when the page asks for a token of theirs. */
  readonly personName: string | undefined
  /** Reason why an earlier attempt failed. */
  readonly failure?: string
}

const scopeTexts: ReadonlyMap<string, string> = new Map([
  ['reader', 'View everything that you can view, except secrets'],
  ['writer', 'View and change everything that you can change, except what concerns the whole account'],
  ['admin', 'Do everything that you can do, except creating access tokens'],
])

/** The page that asks a person whether a client may act for them. It names the client, the scopes and the target. */
export function consentPage({ request, action, styleUrl, csrf, personName, failure }: ConsentView): string {
  const { client, redirectUri, scopes, parameters } = request
  const hidden = [...repeatedNames.map((name) => [name, parameters[name]] as const), ['csrf', csrf] as const]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value ?? '')}">`)
  const items = scopes.map(
    (scope) => `<li>${escapeHtml(scopeTexts.get(scope) ?? `Act with your rights of the role ${scope}`)}</li>`,
  )
  const token = `<label for="token">Your access token</label>
<input id="token" name="token" type="password" autocomplete="off" autofocus>`
  return document(
    `Allow ${client.name}?`,
    styleUrl,
    `<h1>Allow <strong>${escapeHtml(client.name)}</strong> to act for you?</h1>
${client.description === '' ? '' : `<p>${escapeHtml(client.description)}</p>`}
<p>It will be able to:</p>
<ul>${items.join('')}</ul>
<p>You will be sent to <code>${escapeHtml(new URL(redirectUri).host)}</code>.</p>
${personName === undefined ? '' : `<p>You are signed in as <strong>${escapeHtml(personName)}</strong>.</p>`}
${failure === undefined ? '' : `<p class="failure" role="alert">${escapeHtml(failure)}</p>`}
<form method="post" action="${escapeHtml(action)}">
${hidden.join('\n')}
${personName === undefined ? token : ''}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`,
  )
}

/** A page that explains why a request cannot be handled. */
export function failurePage(message: string, styleUrl: string): string {
  return document('Access was not granted', styleUrl, `<h1>Access was not granted</h1>\n<p>${escapeHtml(message)}</p>`)
}

function document(title: string, styleUrl: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${escapeHtml(styleUrl)}">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

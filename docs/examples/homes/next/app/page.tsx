import { flags } from '../halyard'

// Without this, Next would render the page during the build.
export const dynamic = 'force-dynamic'

export default async function Home() {
  const { value } = flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false)
  return <h1>{value ? 'the new shop' : 'the shop'}</h1>
}

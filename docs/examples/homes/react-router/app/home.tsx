import { useLoaderData } from 'react-router'
import { flags } from './halyard.server'

export function loader() {
  return { isNew: flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false).value }
}

export default function Home() {
  const { isNew } = useLoaderData<typeof loader>()
  return <h1>{isNew ? 'the new shop' : 'the shop'}</h1>
}

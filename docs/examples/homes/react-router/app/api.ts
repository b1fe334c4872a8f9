import { handler } from './halyard.server'

const handle = ({ request }: { readonly request: Request }) => handler(request)

// `loader` handles requests with GET, and `action` handles all others.
export { handle as action, handle as loader }

import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [index('home.tsx'), route('api/v2/*', 'api.ts')] satisfies RouteConfig

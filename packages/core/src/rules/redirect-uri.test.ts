import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHttpUrl } from './http-url.ts'
import { isRedirectUri } from './redirect-uri.ts'

describe('an absolute http or https URL', () => {
  it.each(['https://example.com', 'http://example.com:8080/a?b=c#d', 'HTTPS://EXAMPLE.COM/%20', 'http://[::1]/'])(
    'is %s',
    (text) => {
      expect(parseHttpUrl(text)?.href.toLowerCase()).toContain(new URL(text).host)
    },
  )

  it.each([
    '',
    'example.com',
    '//example.com',
    '/callback',
    'ftp://example.com',
    'javascript:alert(1)',
    'https:example.com',
    'https:///example.com',
    'https://example.com/a path',
    'https://exa mple.com',
    'https://example.com/\n',
    '\thttps://example.com',
    'https://example.com/\0',
    'https:\\\\example.com',
    'https://example.com\\@evil.example',
    'https://user@example.com',
    'https://user:password@example.com',
    'https://bücher.example',
    'https://',
    'https://example.com:99999',
    '\ud800',
  ])('cannot be %j', (text) => {
    expect(parseHttpUrl(text)).toBeUndefined()
  })

  it('is parsed without corrections', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        expect(parseHttpUrl(text)?.href).toBe(new URL(text).href)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (host, rest) => {
        const url = parseHttpUrl(`https://${host}/${rest}`)
        if (url) expect(host.split(/[/?#]/)[0]?.toLowerCase()).toMatch(/^[!-~]+$/)
      }),
    )
  })
})

describe('isRedirectUri', () => {
  it.each([
    'https://app.example.com/callback?x=1',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:51004/callback',
    'http://[::1]:51004/callback',
  ])('accepts %s', (text) => {
    expect(isRedirectUri(text)).toBe(true)
  })

  it.each([
    'http://app.example.com/callback',
    'http://localhost/callback',
    'http://127.0.0.1.example.com/',
    'http://127.0.0.2/',
    'https://app.example.com/#fragment',
    'https://app.example.com/#',
    'com.example.app:/callback',
    'callback',
  ])('rejects %s', (text) => {
    expect(isRedirectUri(text)).toBe(false)
  })
})

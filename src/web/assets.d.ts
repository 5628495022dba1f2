declare module '*.html' {
  const page: import('bun').HTMLBundle
  export default page
}
declare module '*.css'
declare module 'bun-plugin-tailwind' {
  const plugin: import('bun').BunPlugin
  export default plugin
}

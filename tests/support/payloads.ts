/** Each would leave `pwned` in the window, or open a dialog, where it ran. The short ones fit into a tag. */
export const SHORT = [
  '<img src=x onerror=pwned=1>',
  '<svg onload=pwned=2>',
  '<script>pwned=3</script>',
  '[x](javascript:pwned=4)',
  "'-(pwned=5)-'",
  '"onfocus=pwned=6 autofocus x="',
  '{{constructor.constructor("pwned=7")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: to be taken for a template
  '${pwned=8}<%=pwned=9%>#{pwned=10}',
  '\u202e>1=dedwnp=rorreno x=crs gmi<',
  '=HYPERLINK("https://evil.example")',
  '+1+cmd|" /C calc"!A0',
  '@SUM(1+1)',
].map((text) => text.slice(0, 40))

export const LONG = [
  '<a href="javascript:pwned=20">a</a><a href="java&#9;script:pwned=21">b</a><a href="&#106;avascript:pwned=22">c</a>',
  '[a](javascript:pwned=23) [b](java\tscript:pwned=24) [c](&#x6A;avascript:pwned=25) [d](JaVaScRiPt:pwned=26)',
  '[e](data:text/html,<script>pwned=27</script>) [f](data:text/html;base64,PHNjcmlwdD5wd25lZD0yODwvc2NyaXB0Pg==) [g](vbscript:pwned=29)',
  '![x](javascript:pwned=30) ![y](data:image/svg+xml,<svg/onload=pwned=31>) ![z](x"onerror="pwned=32)',
  '[h]: javascript:pwned=33\n\n[h] and <javascript:pwned=34> and <data:text/html,x>',
  '[i](\u0001javascript:pwned=35) [j](https://x.example"onmouseover="pwned=36) https://x.example/"onmouseover="pwned=37',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=pwned=38&gt;">',
  '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img src onerror=pwned=39>">',
  '<svg></p><style><a id="</style><img src=1 onerror=pwned=40>">',
  '<noscript><p title="</noscript><img src=x onerror=pwned=41>">',
  '<iframe srcdoc="<script>parent.pwned=42</script>"></iframe><object data="javascript:pwned=43"></object><embed src="data:text/html,x">',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=javascript:pwned=44"><link rel=stylesheet href=//evil.example/x.css>',
  '<form action="javascript:pwned=45"><button>go</button></form><input autofocus onfocus=pwned=46><details open ontoggle=pwned=47>',
  '<img name=getElementById><form id=body><input name=attributes></form><a id=cookie name=defaultView>',
  '</textarea></title></style></script><script>pwned=48</script>\u2028<script>pwned=49</script>',
  '```<script>\npwned=50\n``` `</code><img src=x onerror=pwned=51>` \\<img src=x onerror=pwned=52>',
  '| <img src=x onerror=pwned=53> | [k](javascript:pwned=54) |\n|---|---|\n| a | <svg/onload=pwned=55> |',
  '- [x] <img src=x onerror=pwned=56>\n- [ ](javascript:pwned=57)\n\n# <svg onload=pwned=58>\n\n> <img src=x onerror=pwned=59>',
  '@<img src=x onerror=pwned=60> @ada"onclick="pwned=61 \uff1cscript\uff1epwned=62\uff1c/script\uff1e &lt;img src=x onerror=pwned=63&gt;',
]
export const ALL = [...SHORT, ...LONG]

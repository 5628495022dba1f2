import { PageTitle } from '../../time/page/HeaderTimer'

const HOW = {
  link: 'Open the setup link in the log of the server. On the server, “wrk setup” prints another.',
  email: 'Create an account with the email in OPERATOR_EMAIL, or ask for a sign-in link to it, and open the link mailed there.',
}

export const NoOperator = ({ by }: { by: keyof typeof HOW }) => (
  <div className="flex flex-1 flex-col gap-3 overflow-y-auto p-4 sm:p-8">
    <PageTitle>Operator</PageTitle>
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-1">
      <h1 className="font-strong text-title">This server has no operator yet</h1>
      <p className="max-w-[60ch] text-pretty text-quiet">{HOW[by]}</p>
    </div>
  </div>
)

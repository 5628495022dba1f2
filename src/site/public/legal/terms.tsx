import type { ReactNode } from 'react'
import type { LegalText } from '../LegalPage'

export const terms = (contact: ReactNode, hasPlans: boolean): LegalText => ({
  title: 'Terms of Service',
  summary: 'What you can expect from wrk, what we expect from you, and what happens if things go wrong.',
  sections: [
    {
      title: 'Introduction',
      body: (
        <>
          <p>
            These terms are an agreement between you and the operator of this service (“wrk”, “we”, “us”). They apply whenever you
            visit the site, open an account or work on a board. By using the service you accept them. If you do not agree, please
            do not use it.
          </p>
          <p>
            If you use wrk for a company or another organization, you accept these terms on its behalf and confirm that you may do
            so. The laws of Canada, and of the province in which we are established, govern this agreement. Rights that the
            consumer protection law of your own province or country gives you, and that cannot be waived, are not affected.
          </p>
        </>
      ),
    },
    {
      title: 'Our services',
      body: (
        <>
          <p>
            wrk is a collaboration platform made in Canada, for teams and freelancers. People keep tasks on shared boards, invite
            others, assign work, comment, share files, log time and see one another’s changes live.
          </p>
          <p>
            We improve the service over time, and features may be added, changed or withdrawn. We aim to keep it available and to
            announce longer interruptions, but we do not promise that it will always be available or free of errors.
          </p>
        </>
      ),
    },
    {
      title: 'Your account',
      body: (
        <>
          <p>
            You need an account to work on boards. Please provide a working email address and keep your details up to date. You
            choose a username, which forms the address of your profile page; a name that impersonates someone else may be taken
            back.
          </p>
          <p>
            Keep your password to yourself. You are responsible for what happens under your account. Tell us at once if you
            believe that someone else has used it. You must be at least 16 years old to have an account.
          </p>
        </>
      ),
    },
    {
      title: 'Fair play rules',
      body: (
        <>
          <p>A shared board depends on trust. When you use wrk, you agree not to:</p>
          <ul>
            <li>break the law, or infringe the rights or the privacy of others;</li>
            <li>upload malware, or content that is hateful, harassing or exploitative;</li>
            <li>send spam, or invite people who do not wish to hear from you;</li>
            <li>look for ways around security, access rights or the limits of a plan;</li>
            <li>disrupt or overload the service, or collect the data of others by automated means;</li>
            <li>pretend to be another person or organization.</li>
          </ul>
          <p>If you see someone break these rules, please write to us.</p>
        </>
      ),
    },
    {
      title: 'Subscription and billing',
      ofPlans: true,
      body: (
        <>
          <p>
            The Free plan includes one board, with unlimited tasks and collaborators. The Pro plan includes unlimited boards and
            priority support, and costs $10 CAD per month. Prices and charges are in Canadian dollars.
          </p>
          <p>
            Pro is billed in advance for each billing period and renews automatically until you cancel. Payments are handled by a
            payment processor; we never see your full card number. By subscribing you authorize these recurring charges.
          </p>
          <p>
            If a payment fails or is not made, we may suspend Pro features until it is settled, or return the account to the Free
            plan. You can cancel at any time; Pro then stays active until the end of the period you have paid for. Payments are
            not refunded, as our <a href="/refund">refund policy</a> explains.
          </p>
        </>
      ),
    },
    {
      title: 'Privacy',
      body: (
        <p>
          How we collect, use and protect personal information is described in our <a href="/privacy">privacy policy</a>, which is
          part of these terms. Members of a board see what is on it, and other signed-in users can see your profile, with your
          email address unless you hide it.
        </p>
      ),
    },
    {
      title: 'Intellectual property',
      body: (
        <>
          <p>
            What you put on your boards stays yours. You allow us to store, copy and show it only as far as that is needed to run
            the service for you and the people with whom you share a board.
          </p>
          <p>
            The name wrk, its logo and the design of the service belong to us or to those who license them to us. Software that we
            publish under an open-source licence may be used as that licence says.
          </p>
        </>
      ),
    },
    {
      title: 'Termination',
      body: (
        <>
          <p>You may stop using wrk at any time. You can delete your account on your profile or ask us to do it.</p>
          <p>
            We may suspend or end an account at our discretion, in particular where these terms are broken, where others are put
            at risk, or where the law requires it. Where we reasonably can, we tell you beforehand and give you time to take your
            content with you.
          </p>
        </>
      ),
    },
    {
      title: 'Limitation of liability',
      body: (
        <>
          <p>
            The service is provided “as is” and “as available”. To the extent that the law allows, we give no warranties or
            conditions, express or implied, including those of merchantability and of fitness for a particular purpose.
          </p>
          <p>
            To the same extent, we are not liable for indirect, incidental or consequential damages, or for lost profits, revenue
            or data.{' '}
            {hasPlans &&
              'Our total liability for all claims is limited to what you paid us in the twelve months before the claim arose. '}
            Nothing here limits a liability that cannot be limited by law.
          </p>
        </>
      ),
    },
    {
      title: 'Changes to these terms',
      body: (
        <p>
          We may change these terms as the service or the law changes. The date at the top says when that last happened. We
          announce important changes in the service or by email before they take effect. If you continue to use wrk after that,
          you accept the new terms.
        </p>
      ),
    },
    {
      title: 'Contact',
      body: <p>Questions about these terms are welcome. Write to {contact}.</p>,
    },
  ],
})

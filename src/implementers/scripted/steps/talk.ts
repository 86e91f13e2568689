import type { StepKinds } from '../step-kind.ts';

const RETRY_STATUS = { rate_limit: 429, overloaded: 529, server_error: 500 } as const;

/** What the agent says, and what the CLI says around it. */
export const talkSteps: StepKinds = {
  say: {
    keys: ['text'],
    shorthand: 'text',
    read(fields) {
      const text = fields.text('text');
      return (stage) => stage.emit(stage.records.text(text));
    },
  },

  think: {
    keys: ['text'],
    shorthand: 'text',
    read(fields) {
      const text = fields.text('text');
      return (stage) => stage.emit(stage.records.thinking(text));
    },
  },

  subagent: {
    keys: ['text', 'description'],
    shorthand: 'text',
    read(fields) {
      const text = fields.text('text');
      const description = fields.optionalText('description') ?? 'look into it';
      return (stage) =>
        stage.tool('Agent', { description, prompt: description, subagent_type: 'general-purpose' }, (id) => {
          stage.records.subagentStarted();
          stage.emit(stage.records.text(text, id));
          return {
            content: text,
            ok: true,
            detail: { status: 'completed', content: [{ type: 'text', text }] },
          };
        });
    },
  },

  ask: {
    keys: ['question', 'tool'],
    shorthand: 'question',
    read(fields) {
      const question = fields.text('question');
      const tool = fields.choice('tool', ['AskUserQuestion', 'ExitPlanMode'], 'AskUserQuestion');
      const input =
        tool === 'ExitPlanMode'
          ? { plan: question }
          : { questions: [{ question, header: 'Question', options: [], multiSelect: false }] };
      return (stage) =>
        stage.tool(tool, input, () => ({
          content: 'There is nobody to answer in this session.',
          ok: false,
          detail: null,
        }));
    },
  },

  deny: {
    keys: ['tool', 'input', 'reason', 'quiet'],
    read(fields) {
      const tool = fields.text('tool');
      const input = fields.object('input');
      const reason = fields.optionalText('reason') ?? `Permission to use ${tool} has been denied.`;
      const quiet = fields.flag('quiet');
      return (stage) =>
        stage.tool(tool, input, (id) => {
          if (!quiet) stage.emit(stage.records.permissionDenied(id, tool, input, reason));
          return { content: reason, ok: false, detail: null };
        });
    },
  },

  retry: {
    keys: ['times', 'error'],
    shorthand: 'times',
    read(fields) {
      const times = fields.whole('times', 1, 100, 1);
      const error = fields.choice('error', ['rate_limit', 'overloaded', 'server_error'], 'rate_limit');
      return (stage) => {
        for (let attempt = 1; attempt <= times; attempt += 1) {
          stage.emit(stage.records.apiRetry(attempt, times, 500 * attempt, RETRY_STATUS[error], error));
        }
      };
    },
  },

  background: {
    keys: ['description', 'status'],
    shorthand: 'description',
    read(fields) {
      const description = fields.text('description');
      const status = fields.choice('status', ['completed', 'failed', 'killed', 'running'], 'completed');
      return (stage) => {
        const id = stage.records.newToolId();
        stage.emit(stage.records.taskStarted(id, description));
        if (status !== 'running')
          stage.emit(stage.records.taskNotification(id, status, `${description}: ${status}`));
      };
    },
  },
};

import { createRequire } from "node:module";
import { constants, homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, posix, relative, resolve, sep, win32 } from "node:path";
import { spawn, spawnSync } from "node:child_process";
import { accessSync, closeSync, constants as constants$1, existsSync, fstatSync, fsyncSync, futimesSync, lstatSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync, rmdirSync, statSync, statfsSync, symlinkSync, unlinkSync, watch, writeFileSync, writeSync } from "node:fs";
import { createHash, randomBytes, randomFillSync } from "node:crypto";
import { setImmediate as setImmediate$1, setTimeout as setTimeout$1 } from "node:timers/promises";
import { constants as constants$2, isUtf8 } from "node:buffer";
import { mkdtemp, open, readFile, readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
//#region \0rolldown/runtime.js
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __esmMin = (fn, res) => () => (fn && (res = fn(fn = 0)), res);
var __commonJSMin = (cb, mod) => () => (mod || (cb((mod = { exports: {} }).exports, mod), cb = null), mod.exports);
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
var __copyProps = (to, from, except, desc) => {
	if (from && typeof from === "object" || typeof from === "function") for (var keys = __getOwnPropNames(from), i = 0, n = keys.length, key; i < n; i++) {
		key = keys[i];
		if (!__hasOwnProp.call(to, key) && key !== except) __defProp(to, key, {
			get: ((k) => from[k]).bind(null, key),
			enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable
		});
	}
	return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", {
	value: mod,
	enumerable: true
}) : target, mod));
var __require = /* @__PURE__ */ createRequire(import.meta.url);
//#endregion
//#region node_modules/commander/lib/error.js
var require_error = /* @__PURE__ */ __commonJSMin(((exports) => {
	/**
	* CommanderError class
	*/
	var CommanderError = class extends Error {
		/**
		* Constructs the CommanderError class
		* @param {number} exitCode suggested exit code which could be used with process.exit
		* @param {string} code an id string representing the error
		* @param {string} message human-readable description of the error
		*/
		constructor(exitCode, code, message) {
			super(message);
			Error.captureStackTrace(this, this.constructor);
			this.name = this.constructor.name;
			this.code = code;
			this.exitCode = exitCode;
			this.nestedError = void 0;
		}
	};
	/**
	* InvalidArgumentError class
	*/
	var InvalidArgumentError = class extends CommanderError {
		/**
		* Constructs the InvalidArgumentError class
		* @param {string} [message] explanation of why argument is invalid
		*/
		constructor(message) {
			super(1, "commander.invalidArgument", message);
			Error.captureStackTrace(this, this.constructor);
			this.name = this.constructor.name;
		}
	};
	exports.CommanderError = CommanderError;
	exports.InvalidArgumentError = InvalidArgumentError;
}));
//#endregion
//#region node_modules/commander/lib/argument.js
var require_argument = /* @__PURE__ */ __commonJSMin(((exports) => {
	const { InvalidArgumentError } = require_error();
	var Argument = class {
		/**
		* Initialize a new command argument with the given name and description.
		* The default is that the argument is required, and you can explicitly
		* indicate this with <> around the name. Put [] around the name for an optional argument.
		*
		* @param {string} name
		* @param {string} [description]
		*/
		constructor(name, description) {
			this.description = description || "";
			this.variadic = false;
			this.parseArg = void 0;
			this.defaultValue = void 0;
			this.defaultValueDescription = void 0;
			this.argChoices = void 0;
			switch (name[0]) {
				case "<":
					this.required = true;
					this._name = name.slice(1, -1);
					break;
				case "[":
					this.required = false;
					this._name = name.slice(1, -1);
					break;
				default:
					this.required = true;
					this._name = name;
					break;
			}
			if (this._name.endsWith("...")) {
				this.variadic = true;
				this._name = this._name.slice(0, -3);
			}
		}
		/**
		* Return argument name.
		*
		* @return {string}
		*/
		name() {
			return this._name;
		}
		/**
		* @package
		*/
		_collectValue(value, previous) {
			if (previous === this.defaultValue || !Array.isArray(previous)) return [value];
			previous.push(value);
			return previous;
		}
		/**
		* Set the default value, and optionally supply the description to be displayed in the help.
		*
		* @param {*} value
		* @param {string} [description]
		* @return {Argument}
		*/
		default(value, description) {
			this.defaultValue = value;
			this.defaultValueDescription = description;
			return this;
		}
		/**
		* Set the custom handler for processing CLI command arguments into argument values.
		*
		* @param {Function} [fn]
		* @return {Argument}
		*/
		argParser(fn) {
			this.parseArg = fn;
			return this;
		}
		/**
		* Only allow argument value to be one of choices.
		*
		* @param {string[]} values
		* @return {Argument}
		*/
		choices(values) {
			this.argChoices = values.slice();
			this.parseArg = (arg, previous) => {
				if (!this.argChoices.includes(arg)) throw new InvalidArgumentError(`Allowed choices are ${this.argChoices.join(", ")}.`);
				if (this.variadic) return this._collectValue(arg, previous);
				return arg;
			};
			return this;
		}
		/**
		* Make argument required.
		*
		* @returns {Argument}
		*/
		argRequired() {
			this.required = true;
			return this;
		}
		/**
		* Make argument optional.
		*
		* @returns {Argument}
		*/
		argOptional() {
			this.required = false;
			return this;
		}
	};
	/**
	* Takes an argument and returns its human readable equivalent for help usage.
	*
	* @param {Argument} arg
	* @return {string}
	* @private
	*/
	function humanReadableArgName(arg) {
		const nameOutput = arg.name() + (arg.variadic === true ? "..." : "");
		return arg.required ? "<" + nameOutput + ">" : "[" + nameOutput + "]";
	}
	exports.Argument = Argument;
	exports.humanReadableArgName = humanReadableArgName;
}));
//#endregion
//#region node_modules/commander/lib/help.js
var require_help = /* @__PURE__ */ __commonJSMin(((exports) => {
	const { humanReadableArgName } = require_argument();
	/**
	* TypeScript import types for JSDoc, used by Visual Studio Code IntelliSense and `npm run typescript-checkJS`
	* https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html#import-types
	* @typedef { import("./argument.js").Argument } Argument
	* @typedef { import("./command.js").Command } Command
	* @typedef { import("./option.js").Option } Option
	*/
	var Help = class {
		constructor() {
			this.helpWidth = void 0;
			this.minWidthToWrap = 40;
			this.sortSubcommands = false;
			this.sortOptions = false;
			this.showGlobalOptions = false;
		}
		/**
		* prepareContext is called by Commander after applying overrides from `Command.configureHelp()`
		* and just before calling `formatHelp()`.
		*
		* Commander just uses the helpWidth and the rest is provided for optional use by more complex subclasses.
		*
		* @param {{ error?: boolean, helpWidth?: number, outputHasColors?: boolean }} contextOptions
		*/
		prepareContext(contextOptions) {
			this.helpWidth = this.helpWidth ?? contextOptions.helpWidth ?? 80;
		}
		/**
		* Get an array of the visible subcommands. Includes a placeholder for the implicit help command, if there is one.
		*
		* @param {Command} cmd
		* @returns {Command[]}
		*/
		visibleCommands(cmd) {
			const visibleCommands = cmd.commands.filter((cmd) => !cmd._hidden);
			const helpCommand = cmd._getHelpCommand();
			if (helpCommand && !helpCommand._hidden) visibleCommands.push(helpCommand);
			if (this.sortSubcommands) visibleCommands.sort((a, b) => {
				return a.name().localeCompare(b.name());
			});
			return visibleCommands;
		}
		/**
		* Compare options for sort.
		*
		* @param {Option} a
		* @param {Option} b
		* @returns {number}
		*/
		compareOptions(a, b) {
			const getSortKey = (option) => {
				return option.short ? option.short.replace(/^-/, "") : option.long.replace(/^--/, "");
			};
			return getSortKey(a).localeCompare(getSortKey(b));
		}
		/**
		* Get an array of the visible options. Includes a placeholder for the implicit help option, if there is one.
		*
		* @param {Command} cmd
		* @returns {Option[]}
		*/
		visibleOptions(cmd) {
			const visibleOptions = cmd.options.filter((option) => !option.hidden);
			const helpOption = cmd._getHelpOption();
			if (helpOption && !helpOption.hidden) {
				const removeShort = helpOption.short && cmd._findOption(helpOption.short);
				const removeLong = helpOption.long && cmd._findOption(helpOption.long);
				if (!removeShort && !removeLong) visibleOptions.push(helpOption);
				else if (helpOption.long && !removeLong) visibleOptions.push(cmd.createOption(helpOption.long, helpOption.description));
				else if (helpOption.short && !removeShort) visibleOptions.push(cmd.createOption(helpOption.short, helpOption.description));
			}
			if (this.sortOptions) visibleOptions.sort(this.compareOptions);
			return visibleOptions;
		}
		/**
		* Get an array of the visible global options. (Not including help.)
		*
		* @param {Command} cmd
		* @returns {Option[]}
		*/
		visibleGlobalOptions(cmd) {
			if (!this.showGlobalOptions) return [];
			const globalOptions = [];
			for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) {
				const visibleOptions = ancestorCmd.options.filter((option) => !option.hidden);
				globalOptions.push(...visibleOptions);
			}
			if (this.sortOptions) globalOptions.sort(this.compareOptions);
			return globalOptions;
		}
		/**
		* Get an array of the arguments if any have a description.
		*
		* @param {Command} cmd
		* @returns {Argument[]}
		*/
		visibleArguments(cmd) {
			if (cmd._argsDescription) cmd.registeredArguments.forEach((argument) => {
				argument.description = argument.description || cmd._argsDescription[argument.name()] || "";
			});
			if (cmd.registeredArguments.find((argument) => argument.description)) return cmd.registeredArguments;
			return [];
		}
		/**
		* Get the command term to show in the list of subcommands.
		*
		* @param {Command} cmd
		* @returns {string}
		*/
		subcommandTerm(cmd) {
			const args = cmd.registeredArguments.map((arg) => humanReadableArgName(arg)).join(" ");
			return cmd._name + (cmd._aliases[0] ? "|" + cmd._aliases[0] : "") + (cmd.options.length ? " [options]" : "") + (args ? " " + args : "");
		}
		/**
		* Get the option term to show in the list of options.
		*
		* @param {Option} option
		* @returns {string}
		*/
		optionTerm(option) {
			return option.flags;
		}
		/**
		* Get the argument term to show in the list of arguments.
		*
		* @param {Argument} argument
		* @returns {string}
		*/
		argumentTerm(argument) {
			return argument.name();
		}
		/**
		* Get the longest command term length.
		*
		* @param {Command} cmd
		* @param {Help} helper
		* @returns {number}
		*/
		longestSubcommandTermLength(cmd, helper) {
			return helper.visibleCommands(cmd).reduce((max, command) => {
				return Math.max(max, this.displayWidth(helper.styleSubcommandTerm(helper.subcommandTerm(command))));
			}, 0);
		}
		/**
		* Get the longest option term length.
		*
		* @param {Command} cmd
		* @param {Help} helper
		* @returns {number}
		*/
		longestOptionTermLength(cmd, helper) {
			return helper.visibleOptions(cmd).reduce((max, option) => {
				return Math.max(max, this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option))));
			}, 0);
		}
		/**
		* Get the longest global option term length.
		*
		* @param {Command} cmd
		* @param {Help} helper
		* @returns {number}
		*/
		longestGlobalOptionTermLength(cmd, helper) {
			return helper.visibleGlobalOptions(cmd).reduce((max, option) => {
				return Math.max(max, this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option))));
			}, 0);
		}
		/**
		* Get the longest argument term length.
		*
		* @param {Command} cmd
		* @param {Help} helper
		* @returns {number}
		*/
		longestArgumentTermLength(cmd, helper) {
			return helper.visibleArguments(cmd).reduce((max, argument) => {
				return Math.max(max, this.displayWidth(helper.styleArgumentTerm(helper.argumentTerm(argument))));
			}, 0);
		}
		/**
		* Get the command usage to be displayed at the top of the built-in help.
		*
		* @param {Command} cmd
		* @returns {string}
		*/
		commandUsage(cmd) {
			let cmdName = cmd._name;
			if (cmd._aliases[0]) cmdName = cmdName + "|" + cmd._aliases[0];
			let ancestorCmdNames = "";
			for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) ancestorCmdNames = ancestorCmd.name() + " " + ancestorCmdNames;
			return ancestorCmdNames + cmdName + " " + cmd.usage();
		}
		/**
		* Get the description for the command.
		*
		* @param {Command} cmd
		* @returns {string}
		*/
		commandDescription(cmd) {
			return cmd.description();
		}
		/**
		* Get the subcommand summary to show in the list of subcommands.
		* (Fallback to description for backwards compatibility.)
		*
		* @param {Command} cmd
		* @returns {string}
		*/
		subcommandDescription(cmd) {
			return cmd.summary() || cmd.description();
		}
		/**
		* Get the option description to show in the list of options.
		*
		* @param {Option} option
		* @return {string}
		*/
		optionDescription(option) {
			const extraInfo = [];
			if (option.argChoices) extraInfo.push(`choices: ${option.argChoices.map((choice) => JSON.stringify(choice)).join(", ")}`);
			if (option.defaultValue !== void 0) {
				if (option.required || option.optional || option.isBoolean() && typeof option.defaultValue === "boolean") extraInfo.push(`default: ${option.defaultValueDescription || JSON.stringify(option.defaultValue)}`);
			}
			if (option.presetArg !== void 0 && option.optional) extraInfo.push(`preset: ${JSON.stringify(option.presetArg)}`);
			if (option.envVar !== void 0) extraInfo.push(`env: ${option.envVar}`);
			if (extraInfo.length > 0) {
				const extraDescription = `(${extraInfo.join(", ")})`;
				if (option.description) return `${option.description} ${extraDescription}`;
				return extraDescription;
			}
			return option.description;
		}
		/**
		* Get the argument description to show in the list of arguments.
		*
		* @param {Argument} argument
		* @return {string}
		*/
		argumentDescription(argument) {
			const extraInfo = [];
			if (argument.argChoices) extraInfo.push(`choices: ${argument.argChoices.map((choice) => JSON.stringify(choice)).join(", ")}`);
			if (argument.defaultValue !== void 0) extraInfo.push(`default: ${argument.defaultValueDescription || JSON.stringify(argument.defaultValue)}`);
			if (extraInfo.length > 0) {
				const extraDescription = `(${extraInfo.join(", ")})`;
				if (argument.description) return `${argument.description} ${extraDescription}`;
				return extraDescription;
			}
			return argument.description;
		}
		/**
		* Format a list of items, given a heading and an array of formatted items.
		*
		* @param {string} heading
		* @param {string[]} items
		* @param {Help} helper
		* @returns string[]
		*/
		formatItemList(heading, items, helper) {
			if (items.length === 0) return [];
			return [
				helper.styleTitle(heading),
				...items,
				""
			];
		}
		/**
		* Group items by their help group heading.
		*
		* @param {Command[] | Option[]} unsortedItems
		* @param {Command[] | Option[]} visibleItems
		* @param {Function} getGroup
		* @returns {Map<string, Command[] | Option[]>}
		*/
		groupItems(unsortedItems, visibleItems, getGroup) {
			const result = /* @__PURE__ */ new Map();
			unsortedItems.forEach((item) => {
				const group = getGroup(item);
				if (!result.has(group)) result.set(group, []);
			});
			visibleItems.forEach((item) => {
				const group = getGroup(item);
				if (!result.has(group)) result.set(group, []);
				result.get(group).push(item);
			});
			return result;
		}
		/**
		* Generate the built-in help text.
		*
		* @param {Command} cmd
		* @param {Help} helper
		* @returns {string}
		*/
		formatHelp(cmd, helper) {
			const termWidth = helper.padWidth(cmd, helper);
			const helpWidth = helper.helpWidth ?? 80;
			function callFormatItem(term, description) {
				return helper.formatItem(term, termWidth, description, helper);
			}
			let output = [`${helper.styleTitle("Usage:")} ${helper.styleUsage(helper.commandUsage(cmd))}`, ""];
			const commandDescription = helper.commandDescription(cmd);
			if (commandDescription.length > 0) output = output.concat([helper.boxWrap(helper.styleCommandDescription(commandDescription), helpWidth), ""]);
			const argumentList = helper.visibleArguments(cmd).map((argument) => {
				return callFormatItem(helper.styleArgumentTerm(helper.argumentTerm(argument)), helper.styleArgumentDescription(helper.argumentDescription(argument)));
			});
			output = output.concat(this.formatItemList("Arguments:", argumentList, helper));
			this.groupItems(cmd.options, helper.visibleOptions(cmd), (option) => option.helpGroupHeading ?? "Options:").forEach((options, group) => {
				const optionList = options.map((option) => {
					return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)), helper.styleOptionDescription(helper.optionDescription(option)));
				});
				output = output.concat(this.formatItemList(group, optionList, helper));
			});
			if (helper.showGlobalOptions) {
				const globalOptionList = helper.visibleGlobalOptions(cmd).map((option) => {
					return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)), helper.styleOptionDescription(helper.optionDescription(option)));
				});
				output = output.concat(this.formatItemList("Global Options:", globalOptionList, helper));
			}
			this.groupItems(cmd.commands, helper.visibleCommands(cmd), (sub) => sub.helpGroup() || "Commands:").forEach((commands, group) => {
				const commandList = commands.map((sub) => {
					return callFormatItem(helper.styleSubcommandTerm(helper.subcommandTerm(sub)), helper.styleSubcommandDescription(helper.subcommandDescription(sub)));
				});
				output = output.concat(this.formatItemList(group, commandList, helper));
			});
			return output.join("\n");
		}
		/**
		* Return display width of string, ignoring ANSI escape sequences. Used in padding and wrapping calculations.
		*
		* @param {string} str
		* @returns {number}
		*/
		displayWidth(str) {
			return stripColor(str).length;
		}
		/**
		* Style the title for displaying in the help. Called with 'Usage:', 'Options:', etc.
		*
		* @param {string} str
		* @returns {string}
		*/
		styleTitle(str) {
			return str;
		}
		styleUsage(str) {
			return str.split(" ").map((word) => {
				if (word === "[options]") return this.styleOptionText(word);
				if (word === "[command]") return this.styleSubcommandText(word);
				if (word[0] === "[" || word[0] === "<") return this.styleArgumentText(word);
				return this.styleCommandText(word);
			}).join(" ");
		}
		styleCommandDescription(str) {
			return this.styleDescriptionText(str);
		}
		styleOptionDescription(str) {
			return this.styleDescriptionText(str);
		}
		styleSubcommandDescription(str) {
			return this.styleDescriptionText(str);
		}
		styleArgumentDescription(str) {
			return this.styleDescriptionText(str);
		}
		styleDescriptionText(str) {
			return str;
		}
		styleOptionTerm(str) {
			return this.styleOptionText(str);
		}
		styleSubcommandTerm(str) {
			return str.split(" ").map((word) => {
				if (word === "[options]") return this.styleOptionText(word);
				if (word[0] === "[" || word[0] === "<") return this.styleArgumentText(word);
				return this.styleSubcommandText(word);
			}).join(" ");
		}
		styleArgumentTerm(str) {
			return this.styleArgumentText(str);
		}
		styleOptionText(str) {
			return str;
		}
		styleArgumentText(str) {
			return str;
		}
		styleSubcommandText(str) {
			return str;
		}
		styleCommandText(str) {
			return str;
		}
		/**
		* Calculate the pad width from the maximum term length.
		*
		* @param {Command} cmd
		* @param {Help} helper
		* @returns {number}
		*/
		padWidth(cmd, helper) {
			return Math.max(helper.longestOptionTermLength(cmd, helper), helper.longestGlobalOptionTermLength(cmd, helper), helper.longestSubcommandTermLength(cmd, helper), helper.longestArgumentTermLength(cmd, helper));
		}
		/**
		* Detect manually wrapped and indented strings by checking for line break followed by whitespace.
		*
		* @param {string} str
		* @returns {boolean}
		*/
		preformatted(str) {
			return /\n[^\S\r\n]/.test(str);
		}
		/**
		* Format the "item", which consists of a term and description. Pad the term and wrap the description, indenting the following lines.
		*
		* So "TTT", 5, "DDD DDDD DD DDD" might be formatted for this.helpWidth=17 like so:
		*   TTT  DDD DDDD
		*        DD DDD
		*
		* @param {string} term
		* @param {number} termWidth
		* @param {string} description
		* @param {Help} helper
		* @returns {string}
		*/
		formatItem(term, termWidth, description, helper) {
			const itemIndent = 2;
			const itemIndentStr = " ".repeat(itemIndent);
			if (!description) return itemIndentStr + term;
			const paddedTerm = term.padEnd(termWidth + term.length - helper.displayWidth(term));
			const spacerWidth = 2;
			const remainingWidth = (this.helpWidth ?? 80) - termWidth - spacerWidth - itemIndent;
			let formattedDescription;
			if (remainingWidth < this.minWidthToWrap || helper.preformatted(description)) formattedDescription = description;
			else formattedDescription = helper.boxWrap(description, remainingWidth).replace(/\n/g, "\n" + " ".repeat(termWidth + spacerWidth));
			return itemIndentStr + paddedTerm + " ".repeat(spacerWidth) + formattedDescription.replace(/\n/g, `\n${itemIndentStr}`);
		}
		/**
		* Wrap a string at whitespace, preserving existing line breaks.
		* Wrapping is skipped if the width is less than `minWidthToWrap`.
		*
		* @param {string} str
		* @param {number} width
		* @returns {string}
		*/
		boxWrap(str, width) {
			if (width < this.minWidthToWrap) return str;
			const rawLines = str.split(/\r\n|\n/);
			const chunkPattern = /[\s]*[^\s]+/g;
			const wrappedLines = [];
			rawLines.forEach((line) => {
				const chunks = line.match(chunkPattern);
				if (chunks === null) {
					wrappedLines.push("");
					return;
				}
				let sumChunks = [chunks.shift()];
				let sumWidth = this.displayWidth(sumChunks[0]);
				chunks.forEach((chunk) => {
					const visibleWidth = this.displayWidth(chunk);
					if (sumWidth + visibleWidth <= width) {
						sumChunks.push(chunk);
						sumWidth += visibleWidth;
						return;
					}
					wrappedLines.push(sumChunks.join(""));
					const nextChunk = chunk.trimStart();
					sumChunks = [nextChunk];
					sumWidth = this.displayWidth(nextChunk);
				});
				wrappedLines.push(sumChunks.join(""));
			});
			return wrappedLines.join("\n");
		}
	};
	/**
	* Strip style ANSI escape sequences from the string. In particular, SGR (Select Graphic Rendition) codes.
	*
	* @param {string} str
	* @returns {string}
	* @package
	*/
	function stripColor(str) {
		return str.replace(/\x1b\[\d*(;\d*)*m/g, "");
	}
	exports.Help = Help;
	exports.stripColor = stripColor;
}));
//#endregion
//#region node_modules/commander/lib/option.js
var require_option = /* @__PURE__ */ __commonJSMin(((exports) => {
	const { InvalidArgumentError } = require_error();
	var Option = class {
		/**
		* Initialize a new `Option` with the given `flags` and `description`.
		*
		* @param {string} flags
		* @param {string} [description]
		*/
		constructor(flags, description) {
			this.flags = flags;
			this.description = description || "";
			this.required = flags.includes("<");
			this.optional = flags.includes("[");
			this.variadic = /\w\.\.\.[>\]]$/.test(flags);
			this.mandatory = false;
			const optionFlags = splitOptionFlags(flags);
			this.short = optionFlags.shortFlag;
			this.long = optionFlags.longFlag;
			this.negate = false;
			if (this.long) this.negate = this.long.startsWith("--no-");
			this.defaultValue = void 0;
			this.defaultValueDescription = void 0;
			this.presetArg = void 0;
			this.envVar = void 0;
			this.parseArg = void 0;
			this.hidden = false;
			this.argChoices = void 0;
			this.conflictsWith = [];
			this.implied = void 0;
			this.helpGroupHeading = void 0;
		}
		/**
		* Set the default value, and optionally supply the description to be displayed in the help.
		*
		* @param {*} value
		* @param {string} [description]
		* @return {Option}
		*/
		default(value, description) {
			this.defaultValue = value;
			this.defaultValueDescription = description;
			return this;
		}
		/**
		* Preset to use when option used without option-argument, especially optional but also boolean and negated.
		* The custom processing (parseArg) is called.
		*
		* @example
		* new Option('--color').default('GREYSCALE').preset('RGB');
		* new Option('--donate [amount]').preset('20').argParser(parseFloat);
		*
		* @param {*} arg
		* @return {Option}
		*/
		preset(arg) {
			this.presetArg = arg;
			return this;
		}
		/**
		* Add option name(s) that conflict with this option.
		* An error will be displayed if conflicting options are found during parsing.
		*
		* @example
		* new Option('--rgb').conflicts('cmyk');
		* new Option('--js').conflicts(['ts', 'jsx']);
		*
		* @param {(string | string[])} names
		* @return {Option}
		*/
		conflicts(names) {
			this.conflictsWith = this.conflictsWith.concat(names);
			return this;
		}
		/**
		* Specify implied option values for when this option is set and the implied options are not.
		*
		* The custom processing (parseArg) is not called on the implied values.
		*
		* @example
		* program
		*   .addOption(new Option('--log', 'write logging information to file'))
		*   .addOption(new Option('--trace', 'log extra details').implies({ log: 'trace.txt' }));
		*
		* @param {object} impliedOptionValues
		* @return {Option}
		*/
		implies(impliedOptionValues) {
			let newImplied = impliedOptionValues;
			if (typeof impliedOptionValues === "string") newImplied = { [impliedOptionValues]: true };
			this.implied = Object.assign(this.implied || {}, newImplied);
			return this;
		}
		/**
		* Set environment variable to check for option value.
		*
		* An environment variable is only used if when processed the current option value is
		* undefined, or the source of the current value is 'default' or 'config' or 'env'.
		*
		* @param {string} name
		* @return {Option}
		*/
		env(name) {
			this.envVar = name;
			return this;
		}
		/**
		* Set the custom handler for processing CLI option arguments into option values.
		*
		* @param {Function} [fn]
		* @return {Option}
		*/
		argParser(fn) {
			this.parseArg = fn;
			return this;
		}
		/**
		* Whether the option is mandatory and must have a value after parsing.
		*
		* @param {boolean} [mandatory=true]
		* @return {Option}
		*/
		makeOptionMandatory(mandatory = true) {
			this.mandatory = !!mandatory;
			return this;
		}
		/**
		* Hide option in help.
		*
		* @param {boolean} [hide=true]
		* @return {Option}
		*/
		hideHelp(hide = true) {
			this.hidden = !!hide;
			return this;
		}
		/**
		* @package
		*/
		_collectValue(value, previous) {
			if (previous === this.defaultValue || !Array.isArray(previous)) return [value];
			previous.push(value);
			return previous;
		}
		/**
		* Only allow option value to be one of choices.
		*
		* @param {string[]} values
		* @return {Option}
		*/
		choices(values) {
			this.argChoices = values.slice();
			this.parseArg = (arg, previous) => {
				if (!this.argChoices.includes(arg)) throw new InvalidArgumentError(`Allowed choices are ${this.argChoices.join(", ")}.`);
				if (this.variadic) return this._collectValue(arg, previous);
				return arg;
			};
			return this;
		}
		/**
		* Return option name.
		*
		* @return {string}
		*/
		name() {
			if (this.long) return this.long.replace(/^--/, "");
			return this.short.replace(/^-/, "");
		}
		/**
		* Return option name, in a camelcase format that can be used
		* as an object attribute key.
		*
		* @return {string}
		*/
		attributeName() {
			if (this.negate) return camelcase(this.name().replace(/^no-/, ""));
			return camelcase(this.name());
		}
		/**
		* Set the help group heading.
		*
		* @param {string} heading
		* @return {Option}
		*/
		helpGroup(heading) {
			this.helpGroupHeading = heading;
			return this;
		}
		/**
		* Check if `arg` matches the short or long flag.
		*
		* @param {string} arg
		* @return {boolean}
		* @package
		*/
		is(arg) {
			return this.short === arg || this.long === arg;
		}
		/**
		* Return whether a boolean option.
		*
		* Options are one of boolean, negated, required argument, or optional argument.
		*
		* @return {boolean}
		* @package
		*/
		isBoolean() {
			return !this.required && !this.optional && !this.negate;
		}
	};
	/**
	* This class is to make it easier to work with dual options, without changing the existing
	* implementation. We support separate dual options for separate positive and negative options,
	* like `--build` and `--no-build`, which share a single option value. This works nicely for some
	* use cases, but is tricky for others where we want separate behaviours despite
	* the single shared option value.
	*/
	var DualOptions = class {
		/**
		* @param {Option[]} options
		*/
		constructor(options) {
			this.positiveOptions = /* @__PURE__ */ new Map();
			this.negativeOptions = /* @__PURE__ */ new Map();
			this.dualOptions = /* @__PURE__ */ new Set();
			options.forEach((option) => {
				if (option.negate) this.negativeOptions.set(option.attributeName(), option);
				else this.positiveOptions.set(option.attributeName(), option);
			});
			this.negativeOptions.forEach((value, key) => {
				if (this.positiveOptions.has(key)) this.dualOptions.add(key);
			});
		}
		/**
		* Did the value come from the option, and not from possible matching dual option?
		*
		* @param {*} value
		* @param {Option} option
		* @returns {boolean}
		*/
		valueFromOption(value, option) {
			const optionKey = option.attributeName();
			if (!this.dualOptions.has(optionKey)) return true;
			const preset = this.negativeOptions.get(optionKey).presetArg;
			const negativeValue = preset !== void 0 ? preset : false;
			return option.negate === (negativeValue === value);
		}
	};
	/**
	* Convert string from kebab-case to camelCase.
	*
	* @param {string} str
	* @return {string}
	* @private
	*/
	function camelcase(str) {
		return str.split("-").reduce((str, word) => {
			return str + word[0].toUpperCase() + word.slice(1);
		});
	}
	/**
	* Split the short and long flag out of something like '-m,--mixed <value>'
	*
	* @private
	*/
	function splitOptionFlags(flags) {
		let shortFlag;
		let longFlag;
		const shortFlagExp = /^-[^-]$/;
		const longFlagExp = /^--[^-]/;
		const flagParts = flags.split(/[ |,]+/).concat("guard");
		if (shortFlagExp.test(flagParts[0])) shortFlag = flagParts.shift();
		if (longFlagExp.test(flagParts[0])) longFlag = flagParts.shift();
		if (!shortFlag && shortFlagExp.test(flagParts[0])) shortFlag = flagParts.shift();
		if (!shortFlag && longFlagExp.test(flagParts[0])) {
			shortFlag = longFlag;
			longFlag = flagParts.shift();
		}
		if (flagParts[0].startsWith("-")) {
			const unsupportedFlag = flagParts[0];
			const baseError = `option creation failed due to '${unsupportedFlag}' in option flags '${flags}'`;
			if (/^-[^-][^-]/.test(unsupportedFlag)) throw new Error(`${baseError}
- a short flag is a single dash and a single character
  - either use a single dash and a single character (for a short flag)
  - or use a double dash for a long option (and can have two, like '--ws, --workspace')`);
			if (shortFlagExp.test(unsupportedFlag)) throw new Error(`${baseError}
- too many short flags`);
			if (longFlagExp.test(unsupportedFlag)) throw new Error(`${baseError}
- too many long flags`);
			throw new Error(`${baseError}
- unrecognised flag format`);
		}
		if (shortFlag === void 0 && longFlag === void 0) throw new Error(`option creation failed due to no flags found in '${flags}'.`);
		return {
			shortFlag,
			longFlag
		};
	}
	exports.Option = Option;
	exports.DualOptions = DualOptions;
}));
//#endregion
//#region node_modules/commander/lib/suggestSimilar.js
var require_suggestSimilar = /* @__PURE__ */ __commonJSMin(((exports) => {
	const maxDistance = 3;
	function editDistance(a, b) {
		if (Math.abs(a.length - b.length) > maxDistance) return Math.max(a.length, b.length);
		const d = [];
		for (let i = 0; i <= a.length; i++) d[i] = [i];
		for (let j = 0; j <= b.length; j++) d[0][j] = j;
		for (let j = 1; j <= b.length; j++) for (let i = 1; i <= a.length; i++) {
			let cost = 1;
			if (a[i - 1] === b[j - 1]) cost = 0;
			else cost = 1;
			d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
		}
		return d[a.length][b.length];
	}
	/**
	* Find close matches, restricted to same number of edits.
	*
	* @param {string} word
	* @param {string[]} candidates
	* @returns {string}
	*/
	function suggestSimilar(word, candidates) {
		if (!candidates || candidates.length === 0) return "";
		candidates = Array.from(new Set(candidates));
		const searchingOptions = word.startsWith("--");
		if (searchingOptions) {
			word = word.slice(2);
			candidates = candidates.map((candidate) => candidate.slice(2));
		}
		let similar = [];
		let bestDistance = maxDistance;
		const minSimilarity = .4;
		candidates.forEach((candidate) => {
			if (candidate.length <= 1) return;
			const distance = editDistance(word, candidate);
			const length = Math.max(word.length, candidate.length);
			if ((length - distance) / length > minSimilarity) {
				if (distance < bestDistance) {
					bestDistance = distance;
					similar = [candidate];
				} else if (distance === bestDistance) similar.push(candidate);
			}
		});
		similar.sort((a, b) => a.localeCompare(b));
		if (searchingOptions) similar = similar.map((candidate) => `--${candidate}`);
		if (similar.length > 1) return `\n(Did you mean one of ${similar.join(", ")}?)`;
		if (similar.length === 1) return `\n(Did you mean ${similar[0]}?)`;
		return "";
	}
	exports.suggestSimilar = suggestSimilar;
}));
//#endregion
//#region node_modules/commander/lib/command.js
var require_command = /* @__PURE__ */ __commonJSMin(((exports) => {
	const EventEmitter = __require("node:events").EventEmitter;
	const childProcess = __require("node:child_process");
	const path = __require("node:path");
	const fs = __require("node:fs");
	const process$1 = __require("node:process");
	const { Argument, humanReadableArgName } = require_argument();
	const { CommanderError } = require_error();
	const { Help, stripColor } = require_help();
	const { Option, DualOptions } = require_option();
	const { suggestSimilar } = require_suggestSimilar();
	var Command = class Command extends EventEmitter {
		/**
		* Initialize a new `Command`.
		*
		* @param {string} [name]
		*/
		constructor(name) {
			super();
			/** @type {Command[]} */
			this.commands = [];
			/** @type {Option[]} */
			this.options = [];
			this.parent = null;
			this._allowUnknownOption = false;
			this._allowExcessArguments = false;
			/** @type {Argument[]} */
			this.registeredArguments = [];
			this._args = this.registeredArguments;
			/** @type {string[]} */
			this.args = [];
			this.rawArgs = [];
			this.processedArgs = [];
			this._scriptPath = null;
			this._name = name || "";
			this._optionValues = {};
			this._optionValueSources = {};
			this._storeOptionsAsProperties = false;
			this._actionHandler = null;
			this._executableHandler = false;
			this._executableFile = null;
			this._executableDir = null;
			this._defaultCommandName = null;
			this._exitCallback = null;
			this._aliases = [];
			this._combineFlagAndOptionalValue = true;
			this._description = "";
			this._summary = "";
			this._argsDescription = void 0;
			this._enablePositionalOptions = false;
			this._passThroughOptions = false;
			this._lifeCycleHooks = {};
			/** @type {(boolean | string)} */
			this._showHelpAfterError = false;
			this._showSuggestionAfterError = true;
			this._savedState = null;
			this._outputConfiguration = {
				writeOut: (str) => process$1.stdout.write(str),
				writeErr: (str) => process$1.stderr.write(str),
				outputError: (str, write) => write(str),
				getOutHelpWidth: () => process$1.stdout.isTTY ? process$1.stdout.columns : void 0,
				getErrHelpWidth: () => process$1.stderr.isTTY ? process$1.stderr.columns : void 0,
				getOutHasColors: () => useColor() ?? (process$1.stdout.isTTY && process$1.stdout.hasColors?.()),
				getErrHasColors: () => useColor() ?? (process$1.stderr.isTTY && process$1.stderr.hasColors?.()),
				stripColor: (str) => stripColor(str)
			};
			this._hidden = false;
			/** @type {(Option | null | undefined)} */
			this._helpOption = void 0;
			this._addImplicitHelpCommand = void 0;
			/** @type {Command} */
			this._helpCommand = void 0;
			this._helpConfiguration = {};
			/** @type {string | undefined} */
			this._helpGroupHeading = void 0;
			/** @type {string | undefined} */
			this._defaultCommandGroup = void 0;
			/** @type {string | undefined} */
			this._defaultOptionGroup = void 0;
		}
		/**
		* Copy settings that are useful to have in common across root command and subcommands.
		*
		* (Used internally when adding a command using `.command()` so subcommands inherit parent settings.)
		*
		* @param {Command} sourceCommand
		* @return {Command} `this` command for chaining
		*/
		copyInheritedSettings(sourceCommand) {
			this._outputConfiguration = sourceCommand._outputConfiguration;
			this._helpOption = sourceCommand._helpOption;
			this._helpCommand = sourceCommand._helpCommand;
			this._helpConfiguration = sourceCommand._helpConfiguration;
			this._exitCallback = sourceCommand._exitCallback;
			this._storeOptionsAsProperties = sourceCommand._storeOptionsAsProperties;
			this._combineFlagAndOptionalValue = sourceCommand._combineFlagAndOptionalValue;
			this._allowExcessArguments = sourceCommand._allowExcessArguments;
			this._enablePositionalOptions = sourceCommand._enablePositionalOptions;
			this._showHelpAfterError = sourceCommand._showHelpAfterError;
			this._showSuggestionAfterError = sourceCommand._showSuggestionAfterError;
			return this;
		}
		/**
		* @returns {Command[]}
		* @private
		*/
		_getCommandAndAncestors() {
			const result = [];
			for (let command = this; command; command = command.parent) result.push(command);
			return result;
		}
		/**
		* Define a command.
		*
		* There are two styles of command: pay attention to where to put the description.
		*
		* @example
		* // Command implemented using action handler (description is supplied separately to `.command`)
		* program
		*   .command('clone <source> [destination]')
		*   .description('clone a repository into a newly created directory')
		*   .action((source, destination) => {
		*     console.log('clone command called');
		*   });
		*
		* // Command implemented using separate executable file (description is second parameter to `.command`)
		* program
		*   .command('start <service>', 'start named service')
		*   .command('stop [service]', 'stop named service, or all if no name supplied');
		*
		* @param {string} nameAndArgs - command name and arguments, args are `<required>` or `[optional]` and last may also be `variadic...`
		* @param {(object | string)} [actionOptsOrExecDesc] - configuration options (for action), or description (for executable)
		* @param {object} [execOpts] - configuration options (for executable)
		* @return {Command} returns new command for action handler, or `this` for executable command
		*/
		command(nameAndArgs, actionOptsOrExecDesc, execOpts) {
			let desc = actionOptsOrExecDesc;
			let opts = execOpts;
			if (typeof desc === "object" && desc !== null) {
				opts = desc;
				desc = null;
			}
			opts = opts || {};
			const [, name, args] = nameAndArgs.match(/([^ ]+) *(.*)/);
			const cmd = this.createCommand(name);
			if (desc) {
				cmd.description(desc);
				cmd._executableHandler = true;
			}
			if (opts.isDefault) this._defaultCommandName = cmd._name;
			cmd._hidden = !!(opts.noHelp || opts.hidden);
			cmd._executableFile = opts.executableFile || null;
			if (args) cmd.arguments(args);
			this._registerCommand(cmd);
			cmd.parent = this;
			cmd.copyInheritedSettings(this);
			if (desc) return this;
			return cmd;
		}
		/**
		* Factory routine to create a new unattached command.
		*
		* See .command() for creating an attached subcommand, which uses this routine to
		* create the command. You can override createCommand to customise subcommands.
		*
		* @param {string} [name]
		* @return {Command} new command
		*/
		createCommand(name) {
			return new Command(name);
		}
		/**
		* You can customise the help with a subclass of Help by overriding createHelp,
		* or by overriding Help properties using configureHelp().
		*
		* @return {Help}
		*/
		createHelp() {
			return Object.assign(new Help(), this.configureHelp());
		}
		/**
		* You can customise the help by overriding Help properties using configureHelp(),
		* or with a subclass of Help by overriding createHelp().
		*
		* @param {object} [configuration] - configuration options
		* @return {(Command | object)} `this` command for chaining, or stored configuration
		*/
		configureHelp(configuration) {
			if (configuration === void 0) return this._helpConfiguration;
			this._helpConfiguration = configuration;
			return this;
		}
		/**
		* The default output goes to stdout and stderr. You can customise this for special
		* applications. You can also customise the display of errors by overriding outputError.
		*
		* The configuration properties are all functions:
		*
		*     // change how output being written, defaults to stdout and stderr
		*     writeOut(str)
		*     writeErr(str)
		*     // change how output being written for errors, defaults to writeErr
		*     outputError(str, write) // used for displaying errors and not used for displaying help
		*     // specify width for wrapping help
		*     getOutHelpWidth()
		*     getErrHelpWidth()
		*     // color support, currently only used with Help
		*     getOutHasColors()
		*     getErrHasColors()
		*     stripColor() // used to remove ANSI escape codes if output does not have colors
		*
		* @param {object} [configuration] - configuration options
		* @return {(Command | object)} `this` command for chaining, or stored configuration
		*/
		configureOutput(configuration) {
			if (configuration === void 0) return this._outputConfiguration;
			this._outputConfiguration = {
				...this._outputConfiguration,
				...configuration
			};
			return this;
		}
		/**
		* Display the help or a custom message after an error occurs.
		*
		* @param {(boolean|string)} [displayHelp]
		* @return {Command} `this` command for chaining
		*/
		showHelpAfterError(displayHelp = true) {
			if (typeof displayHelp !== "string") displayHelp = !!displayHelp;
			this._showHelpAfterError = displayHelp;
			return this;
		}
		/**
		* Display suggestion of similar commands for unknown commands, or options for unknown options.
		*
		* @param {boolean} [displaySuggestion]
		* @return {Command} `this` command for chaining
		*/
		showSuggestionAfterError(displaySuggestion = true) {
			this._showSuggestionAfterError = !!displaySuggestion;
			return this;
		}
		/**
		* Add a prepared subcommand.
		*
		* See .command() for creating an attached subcommand which inherits settings from its parent.
		*
		* @param {Command} cmd - new subcommand
		* @param {object} [opts] - configuration options
		* @return {Command} `this` command for chaining
		*/
		addCommand(cmd, opts) {
			if (!cmd._name) throw new Error(`Command passed to .addCommand() must have a name
- specify the name in Command constructor or using .name()`);
			opts = opts || {};
			if (opts.isDefault) this._defaultCommandName = cmd._name;
			if (opts.noHelp || opts.hidden) cmd._hidden = true;
			this._registerCommand(cmd);
			cmd.parent = this;
			cmd._checkForBrokenPassThrough();
			return this;
		}
		/**
		* Factory routine to create a new unattached argument.
		*
		* See .argument() for creating an attached argument, which uses this routine to
		* create the argument. You can override createArgument to return a custom argument.
		*
		* @param {string} name
		* @param {string} [description]
		* @return {Argument} new argument
		*/
		createArgument(name, description) {
			return new Argument(name, description);
		}
		/**
		* Define argument syntax for command.
		*
		* The default is that the argument is required, and you can explicitly
		* indicate this with <> around the name. Put [] around the name for an optional argument.
		*
		* @example
		* program.argument('<input-file>');
		* program.argument('[output-file]');
		*
		* @param {string} name
		* @param {string} [description]
		* @param {(Function|*)} [parseArg] - custom argument processing function or default value
		* @param {*} [defaultValue]
		* @return {Command} `this` command for chaining
		*/
		argument(name, description, parseArg, defaultValue) {
			const argument = this.createArgument(name, description);
			if (typeof parseArg === "function") argument.default(defaultValue).argParser(parseArg);
			else argument.default(parseArg);
			this.addArgument(argument);
			return this;
		}
		/**
		* Define argument syntax for command, adding multiple at once (without descriptions).
		*
		* See also .argument().
		*
		* @example
		* program.arguments('<cmd> [env]');
		*
		* @param {string} names
		* @return {Command} `this` command for chaining
		*/
		arguments(names) {
			names.trim().split(/ +/).forEach((detail) => {
				this.argument(detail);
			});
			return this;
		}
		/**
		* Define argument syntax for command, adding a prepared argument.
		*
		* @param {Argument} argument
		* @return {Command} `this` command for chaining
		*/
		addArgument(argument) {
			const previousArgument = this.registeredArguments.slice(-1)[0];
			if (previousArgument?.variadic) throw new Error(`only the last argument can be variadic '${previousArgument.name()}'`);
			if (argument.required && argument.defaultValue !== void 0 && argument.parseArg === void 0) throw new Error(`a default value for a required argument is never used: '${argument.name()}'`);
			this.registeredArguments.push(argument);
			return this;
		}
		/**
		* Customise or override default help command. By default a help command is automatically added if your command has subcommands.
		*
		* @example
		*    program.helpCommand('help [cmd]');
		*    program.helpCommand('help [cmd]', 'show help');
		*    program.helpCommand(false); // suppress default help command
		*    program.helpCommand(true); // add help command even if no subcommands
		*
		* @param {string|boolean} enableOrNameAndArgs - enable with custom name and/or arguments, or boolean to override whether added
		* @param {string} [description] - custom description
		* @return {Command} `this` command for chaining
		*/
		helpCommand(enableOrNameAndArgs, description) {
			if (typeof enableOrNameAndArgs === "boolean") {
				this._addImplicitHelpCommand = enableOrNameAndArgs;
				if (enableOrNameAndArgs && this._defaultCommandGroup) this._initCommandGroup(this._getHelpCommand());
				return this;
			}
			const [, helpName, helpArgs] = (enableOrNameAndArgs ?? "help [command]").match(/([^ ]+) *(.*)/);
			const helpDescription = description ?? "display help for command";
			const helpCommand = this.createCommand(helpName);
			helpCommand.helpOption(false);
			if (helpArgs) helpCommand.arguments(helpArgs);
			if (helpDescription) helpCommand.description(helpDescription);
			this._addImplicitHelpCommand = true;
			this._helpCommand = helpCommand;
			if (enableOrNameAndArgs || description) this._initCommandGroup(helpCommand);
			return this;
		}
		/**
		* Add prepared custom help command.
		*
		* @param {(Command|string|boolean)} helpCommand - custom help command, or deprecated enableOrNameAndArgs as for `.helpCommand()`
		* @param {string} [deprecatedDescription] - deprecated custom description used with custom name only
		* @return {Command} `this` command for chaining
		*/
		addHelpCommand(helpCommand, deprecatedDescription) {
			if (typeof helpCommand !== "object") {
				this.helpCommand(helpCommand, deprecatedDescription);
				return this;
			}
			this._addImplicitHelpCommand = true;
			this._helpCommand = helpCommand;
			this._initCommandGroup(helpCommand);
			return this;
		}
		/**
		* Lazy create help command.
		*
		* @return {(Command|null)}
		* @package
		*/
		_getHelpCommand() {
			if (this._addImplicitHelpCommand ?? (this.commands.length && !this._actionHandler && !this._findCommand("help"))) {
				if (this._helpCommand === void 0) this.helpCommand(void 0, void 0);
				return this._helpCommand;
			}
			return null;
		}
		/**
		* Add hook for life cycle event.
		*
		* @param {string} event
		* @param {Function} listener
		* @return {Command} `this` command for chaining
		*/
		hook(event, listener) {
			const allowedValues = [
				"preSubcommand",
				"preAction",
				"postAction"
			];
			if (!allowedValues.includes(event)) throw new Error(`Unexpected value for event passed to hook : '${event}'.
Expecting one of '${allowedValues.join("', '")}'`);
			if (this._lifeCycleHooks[event]) this._lifeCycleHooks[event].push(listener);
			else this._lifeCycleHooks[event] = [listener];
			return this;
		}
		/**
		* Register callback to use as replacement for calling process.exit.
		*
		* @param {Function} [fn] optional callback which will be passed a CommanderError, defaults to throwing
		* @return {Command} `this` command for chaining
		*/
		exitOverride(fn) {
			if (fn) this._exitCallback = fn;
			else this._exitCallback = (err) => {
				if (err.code !== "commander.executeSubCommandAsync") throw err;
			};
			return this;
		}
		/**
		* Call process.exit, and _exitCallback if defined.
		*
		* @param {number} exitCode exit code for using with process.exit
		* @param {string} code an id string representing the error
		* @param {string} message human-readable description of the error
		* @return never
		* @private
		*/
		_exit(exitCode, code, message) {
			if (this._exitCallback) this._exitCallback(new CommanderError(exitCode, code, message));
			process$1.exit(exitCode);
		}
		/**
		* Register callback `fn` for the command.
		*
		* @example
		* program
		*   .command('serve')
		*   .description('start service')
		*   .action(function() {
		*      // do work here
		*   });
		*
		* @param {Function} fn
		* @return {Command} `this` command for chaining
		*/
		action(fn) {
			const listener = (args) => {
				const expectedArgsCount = this.registeredArguments.length;
				const actionArgs = args.slice(0, expectedArgsCount);
				if (this._storeOptionsAsProperties) actionArgs[expectedArgsCount] = this;
				else actionArgs[expectedArgsCount] = this.opts();
				actionArgs.push(this);
				return fn.apply(this, actionArgs);
			};
			this._actionHandler = listener;
			return this;
		}
		/**
		* Factory routine to create a new unattached option.
		*
		* See .option() for creating an attached option, which uses this routine to
		* create the option. You can override createOption to return a custom option.
		*
		* @param {string} flags
		* @param {string} [description]
		* @return {Option} new option
		*/
		createOption(flags, description) {
			return new Option(flags, description);
		}
		/**
		* Wrap parseArgs to catch 'commander.invalidArgument'.
		*
		* @param {(Option | Argument)} target
		* @param {string} value
		* @param {*} previous
		* @param {string} invalidArgumentMessage
		* @private
		*/
		_callParseArg(target, value, previous, invalidArgumentMessage) {
			try {
				return target.parseArg(value, previous);
			} catch (err) {
				if (err.code === "commander.invalidArgument") {
					const message = `${invalidArgumentMessage} ${err.message}`;
					this.error(message, {
						exitCode: err.exitCode,
						code: err.code
					});
				}
				throw err;
			}
		}
		/**
		* Check for option flag conflicts.
		* Register option if no conflicts found, or throw on conflict.
		*
		* @param {Option} option
		* @private
		*/
		_registerOption(option) {
			const matchingOption = option.short && this._findOption(option.short) || option.long && this._findOption(option.long);
			if (matchingOption) {
				const matchingFlag = option.long && this._findOption(option.long) ? option.long : option.short;
				throw new Error(`Cannot add option '${option.flags}'${this._name && ` to command '${this._name}'`} due to conflicting flag '${matchingFlag}'
-  already used by option '${matchingOption.flags}'`);
			}
			this._initOptionGroup(option);
			this.options.push(option);
		}
		/**
		* Check for command name and alias conflicts with existing commands.
		* Register command if no conflicts found, or throw on conflict.
		*
		* @param {Command} command
		* @private
		*/
		_registerCommand(command) {
			const knownBy = (cmd) => {
				return [cmd.name()].concat(cmd.aliases());
			};
			const alreadyUsed = knownBy(command).find((name) => this._findCommand(name));
			if (alreadyUsed) {
				const existingCmd = knownBy(this._findCommand(alreadyUsed)).join("|");
				const newCmd = knownBy(command).join("|");
				throw new Error(`cannot add command '${newCmd}' as already have command '${existingCmd}'`);
			}
			this._initCommandGroup(command);
			this.commands.push(command);
		}
		/**
		* Add an option.
		*
		* @param {Option} option
		* @return {Command} `this` command for chaining
		*/
		addOption(option) {
			this._registerOption(option);
			const oname = option.name();
			const name = option.attributeName();
			if (option.negate) {
				const positiveLongFlag = option.long.replace(/^--no-/, "--");
				if (!this._findOption(positiveLongFlag)) this.setOptionValueWithSource(name, option.defaultValue === void 0 ? true : option.defaultValue, "default");
			} else if (option.defaultValue !== void 0) this.setOptionValueWithSource(name, option.defaultValue, "default");
			const handleOptionValue = (val, invalidValueMessage, valueSource) => {
				if (val == null && option.presetArg !== void 0) val = option.presetArg;
				const oldValue = this.getOptionValue(name);
				if (val !== null && option.parseArg) val = this._callParseArg(option, val, oldValue, invalidValueMessage);
				else if (val !== null && option.variadic) val = option._collectValue(val, oldValue);
				if (val == null) if (option.negate) val = false;
				else if (option.isBoolean() || option.optional) val = true;
				else val = "";
				this.setOptionValueWithSource(name, val, valueSource);
			};
			this.on("option:" + oname, (val) => {
				handleOptionValue(val, `error: option '${option.flags}' argument '${val}' is invalid.`, "cli");
			});
			if (option.envVar) this.on("optionEnv:" + oname, (val) => {
				handleOptionValue(val, `error: option '${option.flags}' value '${val}' from env '${option.envVar}' is invalid.`, "env");
			});
			return this;
		}
		/**
		* Internal implementation shared by .option() and .requiredOption()
		*
		* @return {Command} `this` command for chaining
		* @private
		*/
		_optionEx(config, flags, description, fn, defaultValue) {
			if (typeof flags === "object" && flags instanceof Option) throw new Error("To add an Option object use addOption() instead of option() or requiredOption()");
			const option = this.createOption(flags, description);
			option.makeOptionMandatory(!!config.mandatory);
			if (typeof fn === "function") option.default(defaultValue).argParser(fn);
			else if (fn instanceof RegExp) {
				const regex = fn;
				fn = (val, def) => {
					const m = regex.exec(val);
					return m ? m[0] : def;
				};
				option.default(defaultValue).argParser(fn);
			} else option.default(fn);
			return this.addOption(option);
		}
		/**
		* Define option with `flags`, `description`, and optional argument parsing function or `defaultValue` or both.
		*
		* The `flags` string contains the short and/or long flags, separated by comma, a pipe or space. A required
		* option-argument is indicated by `<>` and an optional option-argument by `[]`.
		*
		* See the README for more details, and see also addOption() and requiredOption().
		*
		* @example
		* program
		*     .option('-p, --pepper', 'add pepper')
		*     .option('--pt, --pizza-type <TYPE>', 'type of pizza') // required option-argument
		*     .option('-c, --cheese [CHEESE]', 'add extra cheese', 'mozzarella') // optional option-argument with default
		*     .option('-t, --tip <VALUE>', 'add tip to purchase cost', parseFloat) // custom parse function
		*
		* @param {string} flags
		* @param {string} [description]
		* @param {(Function|*)} [parseArg] - custom option processing function or default value
		* @param {*} [defaultValue]
		* @return {Command} `this` command for chaining
		*/
		option(flags, description, parseArg, defaultValue) {
			return this._optionEx({}, flags, description, parseArg, defaultValue);
		}
		/**
		* Add a required option which must have a value after parsing. This usually means
		* the option must be specified on the command line. (Otherwise the same as .option().)
		*
		* The `flags` string contains the short and/or long flags, separated by comma, a pipe or space.
		*
		* @param {string} flags
		* @param {string} [description]
		* @param {(Function|*)} [parseArg] - custom option processing function or default value
		* @param {*} [defaultValue]
		* @return {Command} `this` command for chaining
		*/
		requiredOption(flags, description, parseArg, defaultValue) {
			return this._optionEx({ mandatory: true }, flags, description, parseArg, defaultValue);
		}
		/**
		* Alter parsing of short flags with optional values.
		*
		* @example
		* // for `.option('-f,--flag [value]'):
		* program.combineFlagAndOptionalValue(true);  // `-f80` is treated like `--flag=80`, this is the default behaviour
		* program.combineFlagAndOptionalValue(false) // `-fb` is treated like `-f -b`
		*
		* @param {boolean} [combine] - if `true` or omitted, an optional value can be specified directly after the flag.
		* @return {Command} `this` command for chaining
		*/
		combineFlagAndOptionalValue(combine = true) {
			this._combineFlagAndOptionalValue = !!combine;
			return this;
		}
		/**
		* Allow unknown options on the command line.
		*
		* @param {boolean} [allowUnknown] - if `true` or omitted, no error will be thrown for unknown options.
		* @return {Command} `this` command for chaining
		*/
		allowUnknownOption(allowUnknown = true) {
			this._allowUnknownOption = !!allowUnknown;
			return this;
		}
		/**
		* Allow excess command-arguments on the command line. Pass false to make excess arguments an error.
		*
		* @param {boolean} [allowExcess] - if `true` or omitted, no error will be thrown for excess arguments.
		* @return {Command} `this` command for chaining
		*/
		allowExcessArguments(allowExcess = true) {
			this._allowExcessArguments = !!allowExcess;
			return this;
		}
		/**
		* Enable positional options. Positional means global options are specified before subcommands which lets
		* subcommands reuse the same option names, and also enables subcommands to turn on passThroughOptions.
		* The default behaviour is non-positional and global options may appear anywhere on the command line.
		*
		* @param {boolean} [positional]
		* @return {Command} `this` command for chaining
		*/
		enablePositionalOptions(positional = true) {
			this._enablePositionalOptions = !!positional;
			return this;
		}
		/**
		* Pass through options that come after command-arguments rather than treat them as command-options,
		* so actual command-options come before command-arguments. Turning this on for a subcommand requires
		* positional options to have been enabled on the program (parent commands).
		* The default behaviour is non-positional and options may appear before or after command-arguments.
		*
		* @param {boolean} [passThrough] for unknown options.
		* @return {Command} `this` command for chaining
		*/
		passThroughOptions(passThrough = true) {
			this._passThroughOptions = !!passThrough;
			this._checkForBrokenPassThrough();
			return this;
		}
		/**
		* @private
		*/
		_checkForBrokenPassThrough() {
			if (this.parent && this._passThroughOptions && !this.parent._enablePositionalOptions) throw new Error(`passThroughOptions cannot be used for '${this._name}' without turning on enablePositionalOptions for parent command(s)`);
		}
		/**
		* Whether to store option values as properties on command object,
		* or store separately (specify false). In both cases the option values can be accessed using .opts().
		*
		* @param {boolean} [storeAsProperties=true]
		* @return {Command} `this` command for chaining
		*/
		storeOptionsAsProperties(storeAsProperties = true) {
			if (this.options.length) throw new Error("call .storeOptionsAsProperties() before adding options");
			if (Object.keys(this._optionValues).length) throw new Error("call .storeOptionsAsProperties() before setting option values");
			this._storeOptionsAsProperties = !!storeAsProperties;
			return this;
		}
		/**
		* Retrieve option value.
		*
		* @param {string} key
		* @return {object} value
		*/
		getOptionValue(key) {
			if (this._storeOptionsAsProperties) return this[key];
			return this._optionValues[key];
		}
		/**
		* Store option value.
		*
		* @param {string} key
		* @param {object} value
		* @return {Command} `this` command for chaining
		*/
		setOptionValue(key, value) {
			return this.setOptionValueWithSource(key, value, void 0);
		}
		/**
		* Store option value and where the value came from.
		*
		* @param {string} key
		* @param {object} value
		* @param {string} source - expected values are default/config/env/cli/implied
		* @return {Command} `this` command for chaining
		*/
		setOptionValueWithSource(key, value, source) {
			if (this._storeOptionsAsProperties) this[key] = value;
			else this._optionValues[key] = value;
			this._optionValueSources[key] = source;
			return this;
		}
		/**
		* Get source of option value.
		* Expected values are default | config | env | cli | implied
		*
		* @param {string} key
		* @return {string}
		*/
		getOptionValueSource(key) {
			return this._optionValueSources[key];
		}
		/**
		* Get source of option value. See also .optsWithGlobals().
		* Expected values are default | config | env | cli | implied
		*
		* @param {string} key
		* @return {string}
		*/
		getOptionValueSourceWithGlobals(key) {
			let source;
			this._getCommandAndAncestors().forEach((cmd) => {
				if (cmd.getOptionValueSource(key) !== void 0) source = cmd.getOptionValueSource(key);
			});
			return source;
		}
		/**
		* Get user arguments from implied or explicit arguments.
		* Side-effects: set _scriptPath if args included script. Used for default program name, and subcommand searches.
		*
		* @private
		*/
		_prepareUserArgs(argv, parseOptions) {
			if (argv !== void 0 && !Array.isArray(argv)) throw new Error("first parameter to parse must be array or undefined");
			parseOptions = parseOptions || {};
			if (argv === void 0 && parseOptions.from === void 0) {
				if (process$1.versions?.electron) parseOptions.from = "electron";
				const execArgv = process$1.execArgv ?? [];
				if (execArgv.includes("-e") || execArgv.includes("--eval") || execArgv.includes("-p") || execArgv.includes("--print")) parseOptions.from = "eval";
			}
			if (argv === void 0) argv = process$1.argv;
			this.rawArgs = argv.slice();
			let userArgs;
			switch (parseOptions.from) {
				case void 0:
				case "node":
					this._scriptPath = argv[1];
					userArgs = argv.slice(2);
					break;
				case "electron":
					if (process$1.defaultApp) {
						this._scriptPath = argv[1];
						userArgs = argv.slice(2);
					} else userArgs = argv.slice(1);
					break;
				case "user":
					userArgs = argv.slice(0);
					break;
				case "eval":
					userArgs = argv.slice(1);
					break;
				default: throw new Error(`unexpected parse option { from: '${parseOptions.from}' }`);
			}
			if (!this._name && this._scriptPath) this.nameFromFilename(this._scriptPath);
			this._name = this._name || "program";
			return userArgs;
		}
		/**
		* Parse `argv`, setting options and invoking commands when defined.
		*
		* Use parseAsync instead of parse if any of your action handlers are async.
		*
		* Call with no parameters to parse `process.argv`. Detects Electron and special node options like `node --eval`. Easy mode!
		*
		* Or call with an array of strings to parse, and optionally where the user arguments start by specifying where the arguments are `from`:
		* - `'node'`: default, `argv[0]` is the application and `argv[1]` is the script being run, with user arguments after that
		* - `'electron'`: `argv[0]` is the application and `argv[1]` varies depending on whether the electron application is packaged
		* - `'user'`: just user arguments
		*
		* @example
		* program.parse(); // parse process.argv and auto-detect electron and special node flags
		* program.parse(process.argv); // assume argv[0] is app and argv[1] is script
		* program.parse(my-args, { from: 'user' }); // just user supplied arguments, nothing special about argv[0]
		*
		* @param {string[]} [argv] - optional, defaults to process.argv
		* @param {object} [parseOptions] - optionally specify style of options with from: node/user/electron
		* @param {string} [parseOptions.from] - where the args are from: 'node', 'user', 'electron'
		* @return {Command} `this` command for chaining
		*/
		parse(argv, parseOptions) {
			this._prepareForParse();
			const userArgs = this._prepareUserArgs(argv, parseOptions);
			this._parseCommand([], userArgs);
			return this;
		}
		/**
		* Parse `argv`, setting options and invoking commands when defined.
		*
		* Call with no parameters to parse `process.argv`. Detects Electron and special node options like `node --eval`. Easy mode!
		*
		* Or call with an array of strings to parse, and optionally where the user arguments start by specifying where the arguments are `from`:
		* - `'node'`: default, `argv[0]` is the application and `argv[1]` is the script being run, with user arguments after that
		* - `'electron'`: `argv[0]` is the application and `argv[1]` varies depending on whether the electron application is packaged
		* - `'user'`: just user arguments
		*
		* @example
		* await program.parseAsync(); // parse process.argv and auto-detect electron and special node flags
		* await program.parseAsync(process.argv); // assume argv[0] is app and argv[1] is script
		* await program.parseAsync(my-args, { from: 'user' }); // just user supplied arguments, nothing special about argv[0]
		*
		* @param {string[]} [argv]
		* @param {object} [parseOptions]
		* @param {string} parseOptions.from - where the args are from: 'node', 'user', 'electron'
		* @return {Promise}
		*/
		async parseAsync(argv, parseOptions) {
			this._prepareForParse();
			const userArgs = this._prepareUserArgs(argv, parseOptions);
			await this._parseCommand([], userArgs);
			return this;
		}
		_prepareForParse() {
			if (this._savedState === null) this.saveStateBeforeParse();
			else this.restoreStateBeforeParse();
		}
		/**
		* Called the first time parse is called to save state and allow a restore before subsequent calls to parse.
		* Not usually called directly, but available for subclasses to save their custom state.
		*
		* This is called in a lazy way. Only commands used in parsing chain will have state saved.
		*/
		saveStateBeforeParse() {
			this._savedState = {
				_name: this._name,
				_optionValues: { ...this._optionValues },
				_optionValueSources: { ...this._optionValueSources }
			};
		}
		/**
		* Restore state before parse for calls after the first.
		* Not usually called directly, but available for subclasses to save their custom state.
		*
		* This is called in a lazy way. Only commands used in parsing chain will have state restored.
		*/
		restoreStateBeforeParse() {
			if (this._storeOptionsAsProperties) throw new Error(`Can not call parse again when storeOptionsAsProperties is true.
- either make a new Command for each call to parse, or stop storing options as properties`);
			this._name = this._savedState._name;
			this._scriptPath = null;
			this.rawArgs = [];
			this._optionValues = { ...this._savedState._optionValues };
			this._optionValueSources = { ...this._savedState._optionValueSources };
			this.args = [];
			this.processedArgs = [];
		}
		/**
		* Throw if expected executable is missing. Add lots of help for author.
		*
		* @param {string} executableFile
		* @param {string} executableDir
		* @param {string} subcommandName
		*/
		_checkForMissingExecutable(executableFile, executableDir, subcommandName) {
			if (fs.existsSync(executableFile)) return;
			const executableMissing = `'${executableFile}' does not exist
 - if '${subcommandName}' is not meant to be an executable command, remove description parameter from '.command()' and use '.description()' instead
 - if the default executable name is not suitable, use the executableFile option to supply a custom name or path
 - ${executableDir ? `searched for local subcommand relative to directory '${executableDir}'` : "no directory for search for local subcommand, use .executableDir() to supply a custom directory"}`;
			throw new Error(executableMissing);
		}
		/**
		* Execute a sub-command executable.
		*
		* @private
		*/
		_executeSubCommand(subcommand, args) {
			args = args.slice();
			let launchWithNode = false;
			const sourceExt = [
				".js",
				".ts",
				".tsx",
				".mjs",
				".cjs"
			];
			function findFile(baseDir, baseName) {
				const localBin = path.resolve(baseDir, baseName);
				if (fs.existsSync(localBin)) return localBin;
				if (sourceExt.includes(path.extname(baseName))) return void 0;
				const foundExt = sourceExt.find((ext) => fs.existsSync(`${localBin}${ext}`));
				if (foundExt) return `${localBin}${foundExt}`;
			}
			this._checkForMissingMandatoryOptions();
			this._checkForConflictingOptions();
			let executableFile = subcommand._executableFile || `${this._name}-${subcommand._name}`;
			let executableDir = this._executableDir || "";
			if (this._scriptPath) {
				let resolvedScriptPath;
				try {
					resolvedScriptPath = fs.realpathSync(this._scriptPath);
				} catch {
					resolvedScriptPath = this._scriptPath;
				}
				executableDir = path.resolve(path.dirname(resolvedScriptPath), executableDir);
			}
			if (executableDir) {
				let localFile = findFile(executableDir, executableFile);
				if (!localFile && !subcommand._executableFile && this._scriptPath) {
					const legacyName = path.basename(this._scriptPath, path.extname(this._scriptPath));
					if (legacyName !== this._name) localFile = findFile(executableDir, `${legacyName}-${subcommand._name}`);
				}
				executableFile = localFile || executableFile;
			}
			launchWithNode = sourceExt.includes(path.extname(executableFile));
			let proc;
			if (process$1.platform !== "win32") if (launchWithNode) {
				args.unshift(executableFile);
				args = incrementNodeInspectorPort(process$1.execArgv).concat(args);
				proc = childProcess.spawn(process$1.argv[0], args, { stdio: "inherit" });
			} else proc = childProcess.spawn(executableFile, args, { stdio: "inherit" });
			else {
				this._checkForMissingExecutable(executableFile, executableDir, subcommand._name);
				args.unshift(executableFile);
				args = incrementNodeInspectorPort(process$1.execArgv).concat(args);
				proc = childProcess.spawn(process$1.execPath, args, { stdio: "inherit" });
			}
			if (!proc.killed) [
				"SIGUSR1",
				"SIGUSR2",
				"SIGTERM",
				"SIGINT",
				"SIGHUP"
			].forEach((signal) => {
				process$1.on(signal, () => {
					if (proc.killed === false && proc.exitCode === null) proc.kill(signal);
				});
			});
			const exitCallback = this._exitCallback;
			proc.on("close", (code) => {
				code = code ?? 1;
				if (!exitCallback) process$1.exit(code);
				else exitCallback(new CommanderError(code, "commander.executeSubCommandAsync", "(close)"));
			});
			proc.on("error", (err) => {
				if (err.code === "ENOENT") this._checkForMissingExecutable(executableFile, executableDir, subcommand._name);
				else if (err.code === "EACCES") throw new Error(`'${executableFile}' not executable`);
				if (!exitCallback) process$1.exit(1);
				else {
					const wrappedError = new CommanderError(1, "commander.executeSubCommandAsync", "(error)");
					wrappedError.nestedError = err;
					exitCallback(wrappedError);
				}
			});
			this.runningCommand = proc;
		}
		/**
		* @private
		*/
		_dispatchSubcommand(commandName, operands, unknown) {
			const subCommand = this._findCommand(commandName);
			if (!subCommand) this.help({ error: true });
			subCommand._prepareForParse();
			let promiseChain;
			promiseChain = this._chainOrCallSubCommandHook(promiseChain, subCommand, "preSubcommand");
			promiseChain = this._chainOrCall(promiseChain, () => {
				if (subCommand._executableHandler) this._executeSubCommand(subCommand, operands.concat(unknown));
				else return subCommand._parseCommand(operands, unknown);
			});
			return promiseChain;
		}
		/**
		* Invoke help directly if possible, or dispatch if necessary.
		* e.g. help foo
		*
		* @private
		*/
		_dispatchHelpCommand(subcommandName) {
			if (!subcommandName) this.help();
			const subCommand = this._findCommand(subcommandName);
			if (subCommand && !subCommand._executableHandler) subCommand.help();
			return this._dispatchSubcommand(subcommandName, [], [this._getHelpOption()?.long ?? this._getHelpOption()?.short ?? "--help"]);
		}
		/**
		* Check this.args against expected this.registeredArguments.
		*
		* @private
		*/
		_checkNumberOfArguments() {
			this.registeredArguments.forEach((arg, i) => {
				if (arg.required && this.args[i] == null) this.missingArgument(arg.name());
			});
			if (this.registeredArguments.length > 0 && this.registeredArguments[this.registeredArguments.length - 1].variadic) return;
			if (this.args.length > this.registeredArguments.length) this._excessArguments(this.args);
		}
		/**
		* Process this.args using this.registeredArguments and save as this.processedArgs!
		*
		* @private
		*/
		_processArguments() {
			const myParseArg = (argument, value, previous) => {
				let parsedValue = value;
				if (value !== null && argument.parseArg) {
					const invalidValueMessage = `error: command-argument value '${value}' is invalid for argument '${argument.name()}'.`;
					parsedValue = this._callParseArg(argument, value, previous, invalidValueMessage);
				}
				return parsedValue;
			};
			this._checkNumberOfArguments();
			const processedArgs = [];
			this.registeredArguments.forEach((declaredArg, index) => {
				let value = declaredArg.defaultValue;
				if (declaredArg.variadic) {
					if (index < this.args.length) {
						value = this.args.slice(index);
						if (declaredArg.parseArg) value = value.reduce((processed, v) => {
							return myParseArg(declaredArg, v, processed);
						}, declaredArg.defaultValue);
					} else if (value === void 0) value = [];
				} else if (index < this.args.length) {
					value = this.args[index];
					if (declaredArg.parseArg) value = myParseArg(declaredArg, value, declaredArg.defaultValue);
				}
				processedArgs[index] = value;
			});
			this.processedArgs = processedArgs;
		}
		/**
		* Once we have a promise we chain, but call synchronously until then.
		*
		* @param {(Promise|undefined)} promise
		* @param {Function} fn
		* @return {(Promise|undefined)}
		* @private
		*/
		_chainOrCall(promise, fn) {
			if (promise?.then && typeof promise.then === "function") return promise.then(() => fn());
			return fn();
		}
		/**
		*
		* @param {(Promise|undefined)} promise
		* @param {string} event
		* @return {(Promise|undefined)}
		* @private
		*/
		_chainOrCallHooks(promise, event) {
			let result = promise;
			const hooks = [];
			this._getCommandAndAncestors().reverse().filter((cmd) => cmd._lifeCycleHooks[event] !== void 0).forEach((hookedCommand) => {
				hookedCommand._lifeCycleHooks[event].forEach((callback) => {
					hooks.push({
						hookedCommand,
						callback
					});
				});
			});
			if (event === "postAction") hooks.reverse();
			hooks.forEach((hookDetail) => {
				result = this._chainOrCall(result, () => {
					return hookDetail.callback(hookDetail.hookedCommand, this);
				});
			});
			return result;
		}
		/**
		*
		* @param {(Promise|undefined)} promise
		* @param {Command} subCommand
		* @param {string} event
		* @return {(Promise|undefined)}
		* @private
		*/
		_chainOrCallSubCommandHook(promise, subCommand, event) {
			let result = promise;
			if (this._lifeCycleHooks[event] !== void 0) this._lifeCycleHooks[event].forEach((hook) => {
				result = this._chainOrCall(result, () => {
					return hook(this, subCommand);
				});
			});
			return result;
		}
		/**
		* Process arguments in context of this command.
		* Returns action result, in case it is a promise.
		*
		* @private
		*/
		_parseCommand(operands, unknown) {
			const parsed = this.parseOptions(unknown);
			this._parseOptionsEnv();
			this._parseOptionsImplied();
			operands = operands.concat(parsed.operands);
			unknown = parsed.unknown;
			this.args = operands.concat(unknown);
			if (operands && this._findCommand(operands[0])) return this._dispatchSubcommand(operands[0], operands.slice(1), unknown);
			if (this._getHelpCommand() && operands[0] === this._getHelpCommand().name()) return this._dispatchHelpCommand(operands[1]);
			if (this._defaultCommandName) {
				this._outputHelpIfRequested(unknown);
				return this._dispatchSubcommand(this._defaultCommandName, operands, unknown);
			}
			if (this.commands.length && this.args.length === 0 && !this._actionHandler && !this._defaultCommandName) this.help({ error: true });
			this._outputHelpIfRequested(parsed.unknown);
			this._checkForMissingMandatoryOptions();
			this._checkForConflictingOptions();
			const checkForUnknownOptions = () => {
				if (parsed.unknown.length > 0) this.unknownOption(parsed.unknown[0]);
			};
			const commandEvent = `command:${this.name()}`;
			if (this._actionHandler) {
				checkForUnknownOptions();
				this._processArguments();
				let promiseChain;
				promiseChain = this._chainOrCallHooks(promiseChain, "preAction");
				promiseChain = this._chainOrCall(promiseChain, () => this._actionHandler(this.processedArgs));
				if (this.parent) promiseChain = this._chainOrCall(promiseChain, () => {
					this.parent.emit(commandEvent, operands, unknown);
				});
				promiseChain = this._chainOrCallHooks(promiseChain, "postAction");
				return promiseChain;
			}
			if (this.parent?.listenerCount(commandEvent)) {
				checkForUnknownOptions();
				this._processArguments();
				this.parent.emit(commandEvent, operands, unknown);
			} else if (operands.length) {
				if (this._findCommand("*")) return this._dispatchSubcommand("*", operands, unknown);
				if (this.listenerCount("command:*")) this.emit("command:*", operands, unknown);
				else if (this.commands.length) this.unknownCommand();
				else {
					checkForUnknownOptions();
					this._processArguments();
				}
			} else if (this.commands.length) {
				checkForUnknownOptions();
				this.help({ error: true });
			} else {
				checkForUnknownOptions();
				this._processArguments();
			}
		}
		/**
		* Find matching command.
		*
		* @private
		* @return {Command | undefined}
		*/
		_findCommand(name) {
			if (!name) return void 0;
			return this.commands.find((cmd) => cmd._name === name || cmd._aliases.includes(name));
		}
		/**
		* Return an option matching `arg` if any.
		*
		* @param {string} arg
		* @return {Option}
		* @package
		*/
		_findOption(arg) {
			return this.options.find((option) => option.is(arg));
		}
		/**
		* Display an error message if a mandatory option does not have a value.
		* Called after checking for help flags in leaf subcommand.
		*
		* @private
		*/
		_checkForMissingMandatoryOptions() {
			this._getCommandAndAncestors().forEach((cmd) => {
				cmd.options.forEach((anOption) => {
					if (anOption.mandatory && cmd.getOptionValue(anOption.attributeName()) === void 0) cmd.missingMandatoryOptionValue(anOption);
				});
			});
		}
		/**
		* Display an error message if conflicting options are used together in this.
		*
		* @private
		*/
		_checkForConflictingLocalOptions() {
			const definedNonDefaultOptions = this.options.filter((option) => {
				const optionKey = option.attributeName();
				if (this.getOptionValue(optionKey) === void 0) return false;
				return this.getOptionValueSource(optionKey) !== "default";
			});
			definedNonDefaultOptions.filter((option) => option.conflictsWith.length > 0).forEach((option) => {
				const conflictingAndDefined = definedNonDefaultOptions.find((defined) => option.conflictsWith.includes(defined.attributeName()));
				if (conflictingAndDefined) this._conflictingOption(option, conflictingAndDefined);
			});
		}
		/**
		* Display an error message if conflicting options are used together.
		* Called after checking for help flags in leaf subcommand.
		*
		* @private
		*/
		_checkForConflictingOptions() {
			this._getCommandAndAncestors().forEach((cmd) => {
				cmd._checkForConflictingLocalOptions();
			});
		}
		/**
		* Parse options from `argv` removing known options,
		* and return argv split into operands and unknown arguments.
		*
		* Side effects: modifies command by storing options. Does not reset state if called again.
		*
		* Examples:
		*
		*     argv => operands, unknown
		*     --known kkk op => [op], []
		*     op --known kkk => [op], []
		*     sub --unknown uuu op => [sub], [--unknown uuu op]
		*     sub -- --unknown uuu op => [sub --unknown uuu op], []
		*
		* @param {string[]} args
		* @return {{operands: string[], unknown: string[]}}
		*/
		parseOptions(args) {
			const operands = [];
			const unknown = [];
			let dest = operands;
			function maybeOption(arg) {
				return arg.length > 1 && arg[0] === "-";
			}
			const negativeNumberArg = (arg) => {
				if (!/^-(\d+|\d*\.\d+)(e[+-]?\d+)?$/.test(arg)) return false;
				return !this._getCommandAndAncestors().some((cmd) => cmd.options.map((opt) => opt.short).some((short) => /^-\d$/.test(short)));
			};
			let activeVariadicOption = null;
			let activeGroup = null;
			let i = 0;
			while (i < args.length || activeGroup) {
				const arg = activeGroup ?? args[i++];
				activeGroup = null;
				if (arg === "--") {
					if (dest === unknown) dest.push(arg);
					dest.push(...args.slice(i));
					break;
				}
				if (activeVariadicOption && (!maybeOption(arg) || negativeNumberArg(arg))) {
					this.emit(`option:${activeVariadicOption.name()}`, arg);
					continue;
				}
				activeVariadicOption = null;
				if (maybeOption(arg)) {
					const option = this._findOption(arg);
					if (option) {
						if (option.required) {
							const value = args[i++];
							if (value === void 0) this.optionMissingArgument(option);
							this.emit(`option:${option.name()}`, value);
						} else if (option.optional) {
							let value = null;
							if (i < args.length && (!maybeOption(args[i]) || negativeNumberArg(args[i]))) value = args[i++];
							this.emit(`option:${option.name()}`, value);
						} else this.emit(`option:${option.name()}`);
						activeVariadicOption = option.variadic ? option : null;
						continue;
					}
				}
				if (arg.length > 2 && arg[0] === "-" && arg[1] !== "-") {
					const option = this._findOption(`-${arg[1]}`);
					if (option) {
						if (option.required || option.optional && this._combineFlagAndOptionalValue) this.emit(`option:${option.name()}`, arg.slice(2));
						else {
							this.emit(`option:${option.name()}`);
							activeGroup = `-${arg.slice(2)}`;
						}
						continue;
					}
				}
				if (/^--[^=]+=/.test(arg)) {
					const index = arg.indexOf("=");
					const option = this._findOption(arg.slice(0, index));
					if (option && (option.required || option.optional)) {
						this.emit(`option:${option.name()}`, arg.slice(index + 1));
						continue;
					}
				}
				if (dest === operands && maybeOption(arg) && !(this.commands.length === 0 && negativeNumberArg(arg))) dest = unknown;
				if ((this._enablePositionalOptions || this._passThroughOptions) && operands.length === 0 && unknown.length === 0) {
					if (this._findCommand(arg)) {
						operands.push(arg);
						unknown.push(...args.slice(i));
						break;
					} else if (this._getHelpCommand() && arg === this._getHelpCommand().name()) {
						operands.push(arg, ...args.slice(i));
						break;
					} else if (this._defaultCommandName) {
						unknown.push(arg, ...args.slice(i));
						break;
					}
				}
				if (this._passThroughOptions) {
					dest.push(arg, ...args.slice(i));
					break;
				}
				dest.push(arg);
			}
			return {
				operands,
				unknown
			};
		}
		/**
		* Return an object containing local option values as key-value pairs.
		*
		* @return {object}
		*/
		opts() {
			if (this._storeOptionsAsProperties) {
				const result = {};
				const len = this.options.length;
				for (let i = 0; i < len; i++) {
					const key = this.options[i].attributeName();
					result[key] = key === this._versionOptionName ? this._version : this[key];
				}
				return result;
			}
			return this._optionValues;
		}
		/**
		* Return an object containing merged local and global option values as key-value pairs.
		*
		* @return {object}
		*/
		optsWithGlobals() {
			return this._getCommandAndAncestors().reduce((combinedOptions, cmd) => Object.assign(combinedOptions, cmd.opts()), {});
		}
		/**
		* Display error message and exit (or call exitOverride).
		*
		* @param {string} message
		* @param {object} [errorOptions]
		* @param {string} [errorOptions.code] - an id string representing the error
		* @param {number} [errorOptions.exitCode] - used with process.exit
		*/
		error(message, errorOptions) {
			this._outputConfiguration.outputError(`${message}\n`, this._outputConfiguration.writeErr);
			if (typeof this._showHelpAfterError === "string") this._outputConfiguration.writeErr(`${this._showHelpAfterError}\n`);
			else if (this._showHelpAfterError) {
				this._outputConfiguration.writeErr("\n");
				this.outputHelp({ error: true });
			}
			const config = errorOptions || {};
			const exitCode = config.exitCode || 1;
			const code = config.code || "commander.error";
			this._exit(exitCode, code, message);
		}
		/**
		* Apply any option related environment variables, if option does
		* not have a value from cli or client code.
		*
		* @private
		*/
		_parseOptionsEnv() {
			this.options.forEach((option) => {
				if (option.envVar && option.envVar in process$1.env) {
					const optionKey = option.attributeName();
					if (this.getOptionValue(optionKey) === void 0 || [
						"default",
						"config",
						"env"
					].includes(this.getOptionValueSource(optionKey))) if (option.required || option.optional) this.emit(`optionEnv:${option.name()}`, process$1.env[option.envVar]);
					else this.emit(`optionEnv:${option.name()}`);
				}
			});
		}
		/**
		* Apply any implied option values, if option is undefined or default value.
		*
		* @private
		*/
		_parseOptionsImplied() {
			const dualHelper = new DualOptions(this.options);
			const hasCustomOptionValue = (optionKey) => {
				return this.getOptionValue(optionKey) !== void 0 && !["default", "implied"].includes(this.getOptionValueSource(optionKey));
			};
			this.options.filter((option) => option.implied !== void 0 && hasCustomOptionValue(option.attributeName()) && dualHelper.valueFromOption(this.getOptionValue(option.attributeName()), option)).forEach((option) => {
				Object.keys(option.implied).filter((impliedKey) => !hasCustomOptionValue(impliedKey)).forEach((impliedKey) => {
					this.setOptionValueWithSource(impliedKey, option.implied[impliedKey], "implied");
				});
			});
		}
		/**
		* Argument `name` is missing.
		*
		* @param {string} name
		* @private
		*/
		missingArgument(name) {
			const message = `error: missing required argument '${name}'`;
			this.error(message, { code: "commander.missingArgument" });
		}
		/**
		* `Option` is missing an argument.
		*
		* @param {Option} option
		* @private
		*/
		optionMissingArgument(option) {
			const message = `error: option '${option.flags}' argument missing`;
			this.error(message, { code: "commander.optionMissingArgument" });
		}
		/**
		* `Option` does not have a value, and is a mandatory option.
		*
		* @param {Option} option
		* @private
		*/
		missingMandatoryOptionValue(option) {
			const message = `error: required option '${option.flags}' not specified`;
			this.error(message, { code: "commander.missingMandatoryOptionValue" });
		}
		/**
		* `Option` conflicts with another option.
		*
		* @param {Option} option
		* @param {Option} conflictingOption
		* @private
		*/
		_conflictingOption(option, conflictingOption) {
			const findBestOptionFromValue = (option) => {
				const optionKey = option.attributeName();
				const optionValue = this.getOptionValue(optionKey);
				const negativeOption = this.options.find((target) => target.negate && optionKey === target.attributeName());
				const positiveOption = this.options.find((target) => !target.negate && optionKey === target.attributeName());
				if (negativeOption && (negativeOption.presetArg === void 0 && optionValue === false || negativeOption.presetArg !== void 0 && optionValue === negativeOption.presetArg)) return negativeOption;
				return positiveOption || option;
			};
			const getErrorMessage = (option) => {
				const bestOption = findBestOptionFromValue(option);
				const optionKey = bestOption.attributeName();
				if (this.getOptionValueSource(optionKey) === "env") return `environment variable '${bestOption.envVar}'`;
				return `option '${bestOption.flags}'`;
			};
			const message = `error: ${getErrorMessage(option)} cannot be used with ${getErrorMessage(conflictingOption)}`;
			this.error(message, { code: "commander.conflictingOption" });
		}
		/**
		* Unknown option `flag`.
		*
		* @param {string} flag
		* @private
		*/
		unknownOption(flag) {
			if (this._allowUnknownOption) return;
			let suggestion = "";
			if (flag.startsWith("--") && this._showSuggestionAfterError) {
				let candidateFlags = [];
				let command = this;
				do {
					const moreFlags = command.createHelp().visibleOptions(command).filter((option) => option.long).map((option) => option.long);
					candidateFlags = candidateFlags.concat(moreFlags);
					command = command.parent;
				} while (command && !command._enablePositionalOptions);
				suggestion = suggestSimilar(flag, candidateFlags);
			}
			const message = `error: unknown option '${flag}'${suggestion}`;
			this.error(message, { code: "commander.unknownOption" });
		}
		/**
		* Excess arguments, more than expected.
		*
		* @param {string[]} receivedArgs
		* @private
		*/
		_excessArguments(receivedArgs) {
			if (this._allowExcessArguments) return;
			const expected = this.registeredArguments.length;
			const s = expected === 1 ? "" : "s";
			const message = `error: too many arguments${this.parent ? ` for '${this.name()}'` : ""}. Expected ${expected} argument${s} but got ${receivedArgs.length}.`;
			this.error(message, { code: "commander.excessArguments" });
		}
		/**
		* Unknown command.
		*
		* @private
		*/
		unknownCommand() {
			const unknownName = this.args[0];
			let suggestion = "";
			if (this._showSuggestionAfterError) {
				const candidateNames = [];
				this.createHelp().visibleCommands(this).forEach((command) => {
					candidateNames.push(command.name());
					if (command.alias()) candidateNames.push(command.alias());
				});
				suggestion = suggestSimilar(unknownName, candidateNames);
			}
			const message = `error: unknown command '${unknownName}'${suggestion}`;
			this.error(message, { code: "commander.unknownCommand" });
		}
		/**
		* Get or set the program version.
		*
		* This method auto-registers the "-V, --version" option which will print the version number.
		*
		* You can optionally supply the flags and description to override the defaults.
		*
		* @param {string} [str]
		* @param {string} [flags]
		* @param {string} [description]
		* @return {(this | string | undefined)} `this` command for chaining, or version string if no arguments
		*/
		version(str, flags, description) {
			if (str === void 0) return this._version;
			this._version = str;
			flags = flags || "-V, --version";
			description = description || "output the version number";
			const versionOption = this.createOption(flags, description);
			this._versionOptionName = versionOption.attributeName();
			this._registerOption(versionOption);
			this.on("option:" + versionOption.name(), () => {
				this._outputConfiguration.writeOut(`${str}\n`);
				this._exit(0, "commander.version", str);
			});
			return this;
		}
		/**
		* Set the description.
		*
		* @param {string} [str]
		* @param {object} [argsDescription]
		* @return {(string|Command)}
		*/
		description(str, argsDescription) {
			if (str === void 0 && argsDescription === void 0) return this._description;
			this._description = str;
			if (argsDescription) this._argsDescription = argsDescription;
			return this;
		}
		/**
		* Set the summary. Used when listed as subcommand of parent.
		*
		* @param {string} [str]
		* @return {(string|Command)}
		*/
		summary(str) {
			if (str === void 0) return this._summary;
			this._summary = str;
			return this;
		}
		/**
		* Set an alias for the command.
		*
		* You may call more than once to add multiple aliases. Only the first alias is shown in the auto-generated help.
		*
		* @param {string} [alias]
		* @return {(string|Command)}
		*/
		alias(alias) {
			if (alias === void 0) return this._aliases[0];
			/** @type {Command} */
			let command = this;
			if (this.commands.length !== 0 && this.commands[this.commands.length - 1]._executableHandler) command = this.commands[this.commands.length - 1];
			if (alias === command._name) throw new Error("Command alias can't be the same as its name");
			const matchingCommand = this.parent?._findCommand(alias);
			if (matchingCommand) {
				const existingCmd = [matchingCommand.name()].concat(matchingCommand.aliases()).join("|");
				throw new Error(`cannot add alias '${alias}' to command '${this.name()}' as already have command '${existingCmd}'`);
			}
			command._aliases.push(alias);
			return this;
		}
		/**
		* Set aliases for the command.
		*
		* Only the first alias is shown in the auto-generated help.
		*
		* @param {string[]} [aliases]
		* @return {(string[]|Command)}
		*/
		aliases(aliases) {
			if (aliases === void 0) return this._aliases;
			aliases.forEach((alias) => this.alias(alias));
			return this;
		}
		/**
		* Set / get the command usage `str`.
		*
		* @param {string} [str]
		* @return {(string|Command)}
		*/
		usage(str) {
			if (str === void 0) {
				if (this._usage) return this._usage;
				const args = this.registeredArguments.map((arg) => {
					return humanReadableArgName(arg);
				});
				return [].concat(this.options.length || this._helpOption !== null ? "[options]" : [], this.commands.length ? "[command]" : [], this.registeredArguments.length ? args : []).join(" ");
			}
			this._usage = str;
			return this;
		}
		/**
		* Get or set the name of the command.
		*
		* @param {string} [str]
		* @return {(string|Command)}
		*/
		name(str) {
			if (str === void 0) return this._name;
			this._name = str;
			return this;
		}
		/**
		* Set/get the help group heading for this subcommand in parent command's help.
		*
		* @param {string} [heading]
		* @return {Command | string}
		*/
		helpGroup(heading) {
			if (heading === void 0) return this._helpGroupHeading ?? "";
			this._helpGroupHeading = heading;
			return this;
		}
		/**
		* Set/get the default help group heading for subcommands added to this command.
		* (This does not override a group set directly on the subcommand using .helpGroup().)
		*
		* @example
		* program.commandsGroup('Development Commands:);
		* program.command('watch')...
		* program.command('lint')...
		* ...
		*
		* @param {string} [heading]
		* @returns {Command | string}
		*/
		commandsGroup(heading) {
			if (heading === void 0) return this._defaultCommandGroup ?? "";
			this._defaultCommandGroup = heading;
			return this;
		}
		/**
		* Set/get the default help group heading for options added to this command.
		* (This does not override a group set directly on the option using .helpGroup().)
		*
		* @example
		* program
		*   .optionsGroup('Development Options:')
		*   .option('-d, --debug', 'output extra debugging')
		*   .option('-p, --profile', 'output profiling information')
		*
		* @param {string} [heading]
		* @returns {Command | string}
		*/
		optionsGroup(heading) {
			if (heading === void 0) return this._defaultOptionGroup ?? "";
			this._defaultOptionGroup = heading;
			return this;
		}
		/**
		* @param {Option} option
		* @private
		*/
		_initOptionGroup(option) {
			if (this._defaultOptionGroup && !option.helpGroupHeading) option.helpGroup(this._defaultOptionGroup);
		}
		/**
		* @param {Command} cmd
		* @private
		*/
		_initCommandGroup(cmd) {
			if (this._defaultCommandGroup && !cmd.helpGroup()) cmd.helpGroup(this._defaultCommandGroup);
		}
		/**
		* Set the name of the command from script filename, such as process.argv[1],
		* or require.main.filename, or __filename.
		*
		* (Used internally and public although not documented in README.)
		*
		* @example
		* program.nameFromFilename(require.main.filename);
		*
		* @param {string} filename
		* @return {Command}
		*/
		nameFromFilename(filename) {
			this._name = path.basename(filename, path.extname(filename));
			return this;
		}
		/**
		* Get or set the directory for searching for executable subcommands of this command.
		*
		* @example
		* program.executableDir(__dirname);
		* // or
		* program.executableDir('subcommands');
		*
		* @param {string} [path]
		* @return {(string|null|Command)}
		*/
		executableDir(path) {
			if (path === void 0) return this._executableDir;
			this._executableDir = path;
			return this;
		}
		/**
		* Return program help documentation.
		*
		* @param {{ error: boolean }} [contextOptions] - pass {error:true} to wrap for stderr instead of stdout
		* @return {string}
		*/
		helpInformation(contextOptions) {
			const helper = this.createHelp();
			const context = this._getOutputContext(contextOptions);
			helper.prepareContext({
				error: context.error,
				helpWidth: context.helpWidth,
				outputHasColors: context.hasColors
			});
			const text = helper.formatHelp(this, helper);
			if (context.hasColors) return text;
			return this._outputConfiguration.stripColor(text);
		}
		/**
		* @typedef HelpContext
		* @type {object}
		* @property {boolean} error
		* @property {number} helpWidth
		* @property {boolean} hasColors
		* @property {function} write - includes stripColor if needed
		*
		* @returns {HelpContext}
		* @private
		*/
		_getOutputContext(contextOptions) {
			contextOptions = contextOptions || {};
			const error = !!contextOptions.error;
			let baseWrite;
			let hasColors;
			let helpWidth;
			if (error) {
				baseWrite = (str) => this._outputConfiguration.writeErr(str);
				hasColors = this._outputConfiguration.getErrHasColors();
				helpWidth = this._outputConfiguration.getErrHelpWidth();
			} else {
				baseWrite = (str) => this._outputConfiguration.writeOut(str);
				hasColors = this._outputConfiguration.getOutHasColors();
				helpWidth = this._outputConfiguration.getOutHelpWidth();
			}
			const write = (str) => {
				if (!hasColors) str = this._outputConfiguration.stripColor(str);
				return baseWrite(str);
			};
			return {
				error,
				write,
				hasColors,
				helpWidth
			};
		}
		/**
		* Output help information for this command.
		*
		* Outputs built-in help, and custom text added using `.addHelpText()`.
		*
		* @param {{ error: boolean } | Function} [contextOptions] - pass {error:true} to write to stderr instead of stdout
		*/
		outputHelp(contextOptions) {
			let deprecatedCallback;
			if (typeof contextOptions === "function") {
				deprecatedCallback = contextOptions;
				contextOptions = void 0;
			}
			const outputContext = this._getOutputContext(contextOptions);
			/** @type {HelpTextEventContext} */
			const eventContext = {
				error: outputContext.error,
				write: outputContext.write,
				command: this
			};
			this._getCommandAndAncestors().reverse().forEach((command) => command.emit("beforeAllHelp", eventContext));
			this.emit("beforeHelp", eventContext);
			let helpInformation = this.helpInformation({ error: outputContext.error });
			if (deprecatedCallback) {
				helpInformation = deprecatedCallback(helpInformation);
				if (typeof helpInformation !== "string" && !Buffer.isBuffer(helpInformation)) throw new Error("outputHelp callback must return a string or a Buffer");
			}
			outputContext.write(helpInformation);
			if (this._getHelpOption()?.long) this.emit(this._getHelpOption().long);
			this.emit("afterHelp", eventContext);
			this._getCommandAndAncestors().forEach((command) => command.emit("afterAllHelp", eventContext));
		}
		/**
		* You can pass in flags and a description to customise the built-in help option.
		* Pass in false to disable the built-in help option.
		*
		* @example
		* program.helpOption('-?, --help' 'show help'); // customise
		* program.helpOption(false); // disable
		*
		* @param {(string | boolean)} flags
		* @param {string} [description]
		* @return {Command} `this` command for chaining
		*/
		helpOption(flags, description) {
			if (typeof flags === "boolean") {
				if (flags) {
					if (this._helpOption === null) this._helpOption = void 0;
					if (this._defaultOptionGroup) this._initOptionGroup(this._getHelpOption());
				} else this._helpOption = null;
				return this;
			}
			this._helpOption = this.createOption(flags ?? "-h, --help", description ?? "display help for command");
			if (flags || description) this._initOptionGroup(this._helpOption);
			return this;
		}
		/**
		* Lazy create help option.
		* Returns null if has been disabled with .helpOption(false).
		*
		* @returns {(Option | null)} the help option
		* @package
		*/
		_getHelpOption() {
			if (this._helpOption === void 0) this.helpOption(void 0, void 0);
			return this._helpOption;
		}
		/**
		* Supply your own option to use for the built-in help option.
		* This is an alternative to using helpOption() to customise the flags and description etc.
		*
		* @param {Option} option
		* @return {Command} `this` command for chaining
		*/
		addHelpOption(option) {
			this._helpOption = option;
			this._initOptionGroup(option);
			return this;
		}
		/**
		* Output help information and exit.
		*
		* Outputs built-in help, and custom text added using `.addHelpText()`.
		*
		* @param {{ error: boolean }} [contextOptions] - pass {error:true} to write to stderr instead of stdout
		*/
		help(contextOptions) {
			this.outputHelp(contextOptions);
			let exitCode = Number(process$1.exitCode ?? 0);
			if (exitCode === 0 && contextOptions && typeof contextOptions !== "function" && contextOptions.error) exitCode = 1;
			this._exit(exitCode, "commander.help", "(outputHelp)");
		}
		/**
		* // Do a little typing to coordinate emit and listener for the help text events.
		* @typedef HelpTextEventContext
		* @type {object}
		* @property {boolean} error
		* @property {Command} command
		* @property {function} write
		*/
		/**
		* Add additional text to be displayed with the built-in help.
		*
		* Position is 'before' or 'after' to affect just this command,
		* and 'beforeAll' or 'afterAll' to affect this command and all its subcommands.
		*
		* @param {string} position - before or after built-in help
		* @param {(string | Function)} text - string to add, or a function returning a string
		* @return {Command} `this` command for chaining
		*/
		addHelpText(position, text) {
			const allowedValues = [
				"beforeAll",
				"before",
				"after",
				"afterAll"
			];
			if (!allowedValues.includes(position)) throw new Error(`Unexpected value for position to addHelpText.
Expecting one of '${allowedValues.join("', '")}'`);
			const helpEvent = `${position}Help`;
			this.on(helpEvent, (context) => {
				let helpStr;
				if (typeof text === "function") helpStr = text({
					error: context.error,
					command: context.command
				});
				else helpStr = text;
				if (helpStr) context.write(`${helpStr}\n`);
			});
			return this;
		}
		/**
		* Output help information if help flags specified
		*
		* @param {Array} args - array of options to search for help flags
		* @private
		*/
		_outputHelpIfRequested(args) {
			const helpOption = this._getHelpOption();
			if (helpOption && args.find((arg) => helpOption.is(arg))) {
				this.outputHelp();
				this._exit(0, "commander.helpDisplayed", "(outputHelp)");
			}
		}
	};
	/**
	* Scan arguments and increment port number for inspect calls (to avoid conflicts when spawning new command).
	*
	* @param {string[]} args - array of arguments from node.execArgv
	* @returns {string[]}
	* @private
	*/
	function incrementNodeInspectorPort(args) {
		return args.map((arg) => {
			if (!arg.startsWith("--inspect")) return arg;
			let debugOption;
			let debugHost = "127.0.0.1";
			let debugPort = "9229";
			let match;
			if ((match = arg.match(/^(--inspect(-brk)?)$/)) !== null) debugOption = match[1];
			else if ((match = arg.match(/^(--inspect(-brk|-port)?)=([^:]+)$/)) !== null) {
				debugOption = match[1];
				if (/^\d+$/.test(match[3])) debugPort = match[3];
				else debugHost = match[3];
			} else if ((match = arg.match(/^(--inspect(-brk|-port)?)=([^:]+):(\d+)$/)) !== null) {
				debugOption = match[1];
				debugHost = match[3];
				debugPort = match[4];
			}
			if (debugOption && debugPort !== "0") return `${debugOption}=${debugHost}:${parseInt(debugPort) + 1}`;
			return arg;
		});
	}
	/**
	* @returns {boolean | undefined}
	* @package
	*/
	function useColor() {
		if (process$1.env.NO_COLOR || process$1.env.FORCE_COLOR === "0" || process$1.env.FORCE_COLOR === "false") return false;
		if (process$1.env.FORCE_COLOR || process$1.env.CLICOLOR_FORCE !== void 0) return true;
	}
	exports.Command = Command;
	exports.useColor = useColor;
}));
//#endregion
//#region node_modules/commander/index.js
var require_commander = /* @__PURE__ */ __commonJSMin(((exports) => {
	const { Argument } = require_argument();
	const { Command } = require_command();
	const { CommanderError, InvalidArgumentError } = require_error();
	const { Help } = require_help();
	const { Option } = require_option();
	exports.program = new Command();
	exports.createCommand = (name) => new Command(name);
	exports.createOption = (flags, description) => new Option(flags, description);
	exports.createArgument = (name, description) => new Argument(name, description);
	/**
	* Expose classes
	*/
	exports.Command = Command;
	exports.Option = Option;
	exports.Argument = Argument;
	exports.Help = Help;
	exports.CommanderError = CommanderError;
	exports.InvalidArgumentError = InvalidArgumentError;
	exports.InvalidOptionArgumentError = InvalidArgumentError;
}));
const { program, createCommand, createArgument, createOption, CommanderError, InvalidArgumentError, InvalidOptionArgumentError, Command, Argument, Option, Help } = (/* @__PURE__ */ __toESM((/* @__PURE__ */ __commonJSMin(((exports, module) => {
	const commander = require_commander();
	exports = module.exports = {};
	exports.program = new commander.Command();
	/**
	* Expose classes. The FooT versions are just types, so return Commander original implementations!
	*/
	exports.Argument = commander.Argument;
	exports.Command = commander.Command;
	exports.CommanderError = commander.CommanderError;
	exports.Help = commander.Help;
	exports.InvalidArgumentError = commander.InvalidArgumentError;
	exports.InvalidOptionArgumentError = commander.InvalidArgumentError;
	exports.Option = commander.Option;
	exports.createCommand = (name) => new commander.Command(name);
	exports.createOption = (flags, description) => new commander.Option(flags, description);
	exports.createArgument = (name, description) => new commander.Argument(name, description);
})))(), 1)).default;
//#endregion
//#region src/core/errors.ts
/** The `code` of a Node system error (`ENOENT`, `EPERM` ...), or undefined for anything else. */
function systemCode(error) {
	if (typeof error !== "object" || error === null || !("code" in error)) return void 0;
	return typeof error.code === "string" ? error.code : void 0;
}
/** The message of whatever was thrown. */
function messageOf$1(error) {
	return error instanceof Error ? error.message : String(error);
}
var BatonError, UsageError;
var init_errors = __esmMin((() => {
	BatonError = class extends Error {
		name = "BatonError";
		code;
		hint;
		constructor(code, message, options = {}) {
			super(message, options.cause === void 0 ? void 0 : { cause: options.cause });
			this.code = code;
			this.hint = options.hint;
		}
	};
	UsageError = class extends BatonError {
		name = "UsageError";
		constructor(message, options = {}) {
			super("usage", message, options);
		}
	};
}));
//#endregion
//#region src/core/text.ts
/** At most `max` UTF-16 units of `text`, marked with an ellipsis where cut, never splitting a surrogate pair. */
function truncate(text, max) {
	if (text.length <= max) return text;
	let end = Math.max(0, max - 1);
	const last = text.charCodeAt(end - 1);
	if (last >= 55296 && last <= 56319) end -= 1;
	return `${text.slice(0, end)}…`;
}
/** The text on one line: runs of white space become a space, control characters (escape sequences among them) go. */
function oneLine(text) {
	return text.replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, "").replace(/\s+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "").trim();
}
/** The last `count` lines that are not blank. */
function lastLines(text, count) {
	return text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "").slice(-count);
}
var init_text = __esmMin((() => {}));
//#endregion
//#region src/commands/parse.ts
init_errors();
init_text();
/** Parses and runs; a number is the exit code of a failure or of `--help`. */
async function parse(program, args, io) {
	try {
		await program.parseAsync(args, { from: "user" });
		return null;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		io.stderr.write(`${errorLine(error)}\n`);
		return error instanceof BatonError && error.code === "usage" ? 2 : 1;
	}
}
/** Commander neither exits nor writes to the process by itself, and says what is wrong in one line. */
function quiet(command, io) {
	return command.exitOverride().configureOutput({
		writeOut: (text) => io.stdout.write(text),
		writeErr: (text) => io.stderr.write(text),
		outputError: (text, write) => write(`baton: ${text.replace(/^error: /, "").trim().replace(/\s*\n\s*/g, " ")}\n`),
		getOutHasColors: () => io.colour
	});
}
/** One line for a person: what went wrong, and the way out. */
function errorLine(error) {
	if (!(error instanceof BatonError)) return `baton: unexpected: ${error instanceof Error ? error.stack ?? error.message : messageOf$1(error)}`;
	const hint = error.hint === void 0 ? "" : `; ${error.hint}`;
	return oneLine(`baton: ${error.message}${hint}`);
}
//#endregion
//#region src/core/deferred.ts
function deferred() {
	let resolve = () => {};
	return {
		promise: new Promise((settle) => {
			resolve = settle;
		}),
		resolve
	};
}
/** Resolves after `ms`, or as soon as `signal` is aborted; never rejects. */
function pause$2(ms, signal) {
	return new Promise((resolve) => {
		if (signal.aborted || ms <= 0) {
			resolve();
			return;
		}
		const timer = setTimeout(done, ms);
		signal.addEventListener("abort", done, { once: true });
		function done() {
			clearTimeout(timer);
			signal.removeEventListener("abort", done);
			resolve();
		}
	});
}
//#endregion
//#region src/git/ordinary-repository.ts
/**
* The working tree that `cwd` lies in, where it is of the one kind that most are and plain files leave no doubt about
* what git would answer: a `.git` folder as `git init` makes it, owned by this user. Null for everything else (linked
* worktrees, submodules, other owners, extensions, no repository at all): git itself has to say. Never throws.
*
* Starting a process costs milliseconds, and every dispatch waits for this one.
*/
function ordinaryRepository(cwd, env) {
	if (process.platform !== "linux") return null;
	if (Object.keys(env).some((name) => name.startsWith("GIT_"))) return null;
	try {
		const top = topAbove(realpathSync(cwd));
		return top !== null && isOrdinary(top) ? repositoryAt(top) : null;
	} catch {
		return null;
	}
}
function repositoryAt(top) {
	const gitDir = join(top, ".git");
	return {
		top,
		gitDir,
		commonDir: gitDir,
		objectFormat: "sha1"
	};
}
/** The first folder from here upwards that has a `.git`; null where git's search could end for another reason. */
function topAbove(folder) {
	const { dev } = lstatSync(folder);
	for (let at = folder;; at = dirname(at)) {
		if (!/^[ -~]+$/.test(at) || lstatSync(at).dev !== dev) return null;
		if (entry(at, ".git")) return at;
		if (entry(at, "HEAD") || dirname(at) === at) return null;
	}
}
function isOrdinary(top) {
	const gitDir = join(top, ".git");
	const mine = (folder) => lstatSync(folder).uid === process.geteuid?.();
	if (!entry(top, ".git")?.isDirectory() || !mine(top) || !mine(gitDir)) return false;
	if (entry(gitDir, "commondir")) return false;
	for (const name of ["objects", "refs"]) {
		if (!entry(gitDir, name)?.isDirectory()) return false;
		accessSync(join(gitDir, name), constants$1.X_OK);
	}
	if (!entry(gitDir, "HEAD")?.isFile() || !entry(gitDir, "config")?.isFile()) return false;
	return /^(?:ref: refs\/\S+|[0-9a-f]{40})\n$/.test(readFileSync(join(gitDir, "HEAD"), "latin1")) && isPlain(readFileSync(join(gitDir, "config"), "latin1"));
}
/**
* Nothing in this configuration moves the working tree, asks for another format or stops git. The words are looked for
* anywhere: one that stands in a name costs no more than a call of git.
*/
function isPlain(config) {
	const lines = config.split("\n");
	const only = (word, line) => lines.includes(line) && lines.filter((other) => other.toLowerCase().includes(word)).length === 1;
	return lines.every((line) => LINE.test(line)) && !/extensions|include|worktree/i.test(config) && only("repositoryformatversion", "	repositoryformatversion = 0") && only("bare", "	bare = false");
}
function entry(folder, name) {
	return lstatSync(join(folder, name), { throwIfNoEntry: false });
}
var LINE;
var init_ordinary_repository = __esmMin((() => {
	LINE = /^(?:\[[\w.-]+(?: "[^"\\]*")?\]|\t[A-Za-z][A-Za-z0-9-]* = [^"\\#;\r]*)?$/;
}));
//#endregion
//#region src/core/command.ts
/**
* Runs a short command in a process group of its own and never rejects. It settles on `exit` plus a moment for the
* pipes (a grandchild that holds them open must not hold us), and ends the whole group when its time is up.
*/
function runCommand(request) {
	return new Promise((resolve) => {
		const stdout = [];
		const stderr = [];
		let bytes = 0;
		let ours = null;
		let settled = false;
		const finish = (result) => {
			if (settled) return;
			settled = true;
			clearTimeout(limit);
			request.signal?.removeEventListener("abort", onAbort);
			child?.stdout?.destroy();
			child?.stderr?.destroy();
			resolve({
				...result,
				stdout: Buffer.concat(stdout),
				stderr: Buffer.concat(stderr).toString("utf8")
			});
		};
		const fail = (error) => finish({
			end: "not-started",
			code: null,
			signal: null,
			failure: {
				code: systemCode(error) ?? "UNKNOWN",
				message: messageOf$1(error)
			}
		});
		const end = (why) => {
			ours ??= why;
			killGroup(child?.pid);
		};
		const onAbort = () => end("aborted");
		const limit = setTimeout(() => end("timeout"), request.timeoutMs);
		let child;
		if (request.signal?.aborted) {
			finish({
				end: "aborted",
				code: null,
				signal: null,
				failure: null
			});
			return;
		}
		try {
			child = spawn(request.file, request.args, {
				cwd: request.cwd,
				env: request.env,
				stdio: [
					request.input ? "pipe" : "ignore",
					"pipe",
					"pipe"
				],
				detached: process.platform !== "win32",
				windowsHide: true
			});
		} catch (error) {
			fail(error);
			return;
		}
		request.signal?.addEventListener("abort", onAbort, { once: true });
		const keep = (into) => (chunk) => {
			bytes += chunk.length;
			if (bytes > (request.maxBytes ?? 1024 ** 3)) end("overflow");
			else into.push(chunk);
		};
		child.stdout?.on("data", keep(stdout));
		child.stderr?.on("data", keep(stderr));
		child.stdin?.on("error", () => {});
		child.stdin?.end(request.input);
		child.on("error", fail);
		const settle = (code, signal) => finish({
			end: ours ?? (signal ? "signalled" : "exited"),
			code,
			signal,
			failure: null
		});
		child.on("close", settle);
		child.on("exit", (code, signal) => setTimeout(() => settle(code, signal), ours ? 0 : 500).unref());
	});
}
function killGroup(pid) {
	if (pid === void 0 || pid <= 1) return;
	try {
		process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
	} catch {}
}
var init_command = __esmMin((() => {
	init_errors();
}));
//#endregion
//#region src/core/environment.ts
/** `process.env` without undefined values, as a plain copy. */
function copyEnv(env) {
	const copy = {};
	for (const [name, value] of Object.entries(env)) if (value !== void 0) copy[name] = value;
	return copy;
}
/** A copy without the named variables; names are compared without case where the platform does so. */
function withoutVariables(env, names, platform = process.platform) {
	const fold = (name) => platform === "win32" ? name.toUpperCase() : name;
	const dropped = new Set(names.map(fold));
	return Object.fromEntries(Object.entries(env).filter(([name]) => !dropped.has(fold(name))));
}
/** Reads a variable; on Windows its case does not matter. */
function readVariable(env, name, platform = process.platform) {
	if (platform !== "win32" || env[name] !== void 0) return env[name];
	const upper = name.toUpperCase();
	return Object.entries(env).find(([key]) => key.toUpperCase() === upper)?.[1];
}
var RUN_MARKER, DEPTH_MARKER, GIT_LOCAL_VARIABLES;
var init_environment = __esmMin((() => {
	RUN_MARKER = "BATON_RUN_ID";
	DEPTH_MARKER = "BATON_DEPTH";
	GIT_LOCAL_VARIABLES = [
		"GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_CONFIG",
		"GIT_CONFIG_PARAMETERS",
		"GIT_CONFIG_COUNT",
		"GIT_OBJECT_DIRECTORY",
		"GIT_DIR",
		"GIT_WORK_TREE",
		"GIT_IMPLICIT_WORK_TREE",
		"GIT_GRAFT_FILE",
		"GIT_INDEX_FILE",
		"GIT_NO_REPLACE_OBJECTS",
		"GIT_REPLACE_REF_BASE",
		"GIT_PREFIX",
		"GIT_SHALLOW_FILE",
		"GIT_COMMON_DIR",
		"GIT_INTERNAL_SUPER_PREFIX"
	];
}));
//#endregion
//#region src/git/trusted.ts
/**
* Runs git over a repository that was located earlier, with everything fixed that could make git run, read or write
* something else: directories are named outright, so that a rewritten `.git` file cannot redirect it.
*
* A non-zero exit is an answer. Throws `BatonError` with code `git-not-started`, `git-timeout`, `git-aborted`,
* `git-overflow` or `git-killed` where there is no answer.
*/
async function trustedGit(repository, args, options) {
	const [command = "", ...rest] = args;
	const submodules = LOOKS_INTO_SUBMODULES.has(command) ? ["--ignore-submodules=all"] : [];
	return answerOf(command, {
		file: "git",
		args: [
			...FLAGS,
			command,
			...submodules,
			...rest
		],
		cwd: repository.top,
		env: {
			...cleanGitEnv(options.env, repository.top),
			GIT_DIR: repository.gitDir,
			GIT_COMMON_DIR: repository.commonDir,
			GIT_WORK_TREE: repository.top,
			...options.extraEnv
		},
		timeoutMs: options.timeoutMs,
		...options.input && { input: options.input },
		...options.maxBytes !== void 0 && { maxBytes: options.maxBytes },
		...options.signal && { signal: options.signal }
	});
}
/** The environment for any git call of ours; `writable` is the folder whose programs must not be found. */
function cleanGitEnv(env, writable) {
	const clean = withoutVariables(env, [...GIT_LOCAL_VARIABLES, ...DISTORTING_VARIABLES]);
	for (const name of Object.keys(clean)) if (name.toUpperCase() === "PATH") clean[name] = pathOutside(clean[name] ?? "", writable);
	return {
		...clean,
		LC_ALL: "C",
		LANGUAGE: "",
		GIT_TERMINAL_PROMPT: "0",
		GIT_NO_LAZY_FETCH: "1",
		GIT_NO_REPLACE_OBJECTS: "1"
	};
}
/**
* A search path without relative entries and without folders inside `writable`: under `npm run` the first entry is the
* project's own `node_modules/.bin`, and an implementer that puts a `git` there would have it run by baton.
*/
function pathOutside(path, writable) {
	return path.split(delimiter).filter((entry) => isAbsolute(entry) && !isInside(writable, entry)).join(delimiter);
}
function isInside(folder, path) {
	if (dirname(folder) === folder) return false;
	const way = relative(folder, path);
	return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
/** Starts git and turns everything that is no answer into an error. */
async function answerOf(command, request) {
	const { end, code, signal, stdout, stderr, failure } = await runCommand(request);
	if (end === "exited") return {
		code: code ?? -1,
		stdout,
		stderr
	};
	if (end === "not-started") throw new BatonError("git-not-started", `git could not be started: ${failure?.message ?? "no reason given"}`, { hint: "Install git and make sure that it is on PATH." });
	const why = {
		timeout: {
			code: "git-timeout",
			text: `did not answer within ${request.timeoutMs} ms`
		},
		aborted: {
			code: "git-aborted",
			text: "was stopped before it answered"
		},
		overflow: {
			code: "git-overflow",
			text: `printed more than ${request.maxBytes ?? 1024 ** 3} bytes`
		},
		signalled: {
			code: "git-killed",
			text: `was ended by ${signal ?? "a signal"}`
		}
	}[end];
	throw new BatonError(why.code, `git ${command} ${why.text}`);
}
/** The first line of what git said, for a sentence of ours. */
function firstLine(stderr) {
	return stderr.trim().split("\n", 1)[0] || "no reason given";
}
var FLAGS, LOOKS_INTO_SUBMODULES, DISTORTING_VARIABLES;
var init_trusted = __esmMin((() => {
	init_command();
	init_environment();
	init_errors();
	FLAGS = ["--no-optional-locks", ...[
		"core.hooksPath=/dev/null",
		"core.fsmonitor=false",
		"core.untrackedCache=false",
		"core.safecrlf=false",
		"core.fileMode=true",
		"core.trustctime=true",
		"core.checkStat=default",
		"core.quotePath=true"
	].flatMap((setting) => ["-c", setting])];
	LOOKS_INTO_SUBMODULES = new Set([
		"status",
		"diff",
		"diff-files",
		"diff-index",
		"diff-tree"
	]);
	DISTORTING_VARIABLES = [
		"GIT_ATTR_SOURCE",
		"GIT_DIFF_OPTS",
		"GIT_EXTERNAL_DIFF",
		"GIT_GLOB_PATHSPECS",
		"GIT_ICASE_PATHSPECS",
		"GIT_LITERAL_PATHSPECS",
		"GIT_NAMESPACE",
		"GIT_NOGLOB_PATHSPECS",
		"GIT_OPTIONAL_LOCKS"
	];
}));
//#endregion
//#region src/git/locate.ts
/**
* Finds the working tree that `cwd` lies in, or says why there is none. Never an exception. Where anything about it is
* out of the ordinary git itself does the search, so that its rules (ceilings, ownership, linked worktrees) hold.
*/
async function locateRepository(cwd, env, timeoutMs) {
	return ordinaryRepository(cwd, env) ?? askGit(cwd, env, timeoutMs);
}
async function askGit(cwd, env, timeoutMs) {
	const mark = `--baton-${randomBytes(12).toString("hex")}`;
	const questions = [
		"--is-bare-repository",
		"--show-object-format",
		"--show-toplevel",
		"--absolute-git-dir",
		"--git-common-dir"
	];
	let answer;
	try {
		answer = await answerOf("rev-parse", {
			file: "git",
			args: ["rev-parse", ...questions.flatMap((question) => [question, mark])],
			cwd,
			env: cleanGitEnv(env, cwd),
			timeoutMs
		});
	} catch (error) {
		const hint = error instanceof BatonError ? error.hint : void 0;
		return {
			problem: "failed",
			detail: messageOf$1(error),
			hint: hint ?? "Try again, or see why `git rev-parse --show-toplevel` does not answer here."
		};
	}
	const text = answer.stdout.toString("utf8");
	const [bare, format, top, gitDir, commonDir] = text.split(`\n${mark}\n`);
	if (answer.code !== 0 || !top || !gitDir || !commonDir) return explain$1(answer.stderr, bare === "true");
	if (!Buffer.from(text, "utf8").equals(answer.stdout)) return {
		problem: "failed",
		detail: `the path of this repository is not UTF-8: ${top}`,
		hint: "Move the repository to a path that is valid UTF-8."
	};
	return {
		top,
		gitDir,
		commonDir: realpathSync(resolve(realpathSync(cwd), commonDir)),
		objectFormat: format === "sha256" ? "sha256" : "sha1"
	};
}
function explain$1(stderr, bare) {
	const detail = stderr.trim();
	if (bare) return {
		problem: "bare",
		detail: "this is a bare repository: it has no working tree",
		hint: "Run in a clone or in a worktree (`git worktree add`)."
	};
	if (detail.includes("dubious ownership")) return {
		problem: "refused",
		detail,
		hint: "The repository belongs to another user. If you trust it, allow it yourself with `git config --global --add safe.directory <path>`."
	};
	if (detail.includes("not a git repository")) return {
		problem: "none",
		detail: "not inside a git repository",
		hint: "Run `git init` there first: without git, what a run changed cannot be proven."
	};
	return {
		problem: "failed",
		detail: detail || "git gave no reason",
		hint: "Run from inside the working tree, and see what `git status` says there."
	};
}
var init_locate = __esmMin((() => {
	init_errors();
	init_ordinary_repository();
	init_trusted();
}));
//#endregion
//#region src/core/clock.ts
/** How far the wall clock ran away from the monotonic one since `start`: a suspend, or a clock that was set. */
function clockGap(start, now) {
	const gap = Math.round(now.wall - start.wall - (now.monotonic - start.monotonic));
	return Math.abs(gap) < 1e3 ? 0 : gap;
}
var systemClock;
var init_clock = __esmMin((() => {
	systemClock = {
		monotonic: () => Number(process.hrtime.bigint()) / 1e6,
		wall: () => Date.now()
	};
}));
//#endregion
//#region src/core/atomic-write.ts
/**
* Writes a whole file or nothing: a new file beside it is filled, synced, and renamed over the name.
* A reader sees the old bytes or the new ones. On failure the new file is removed and the error thrown.
* `durable: false` leaves out the sync, for records that a crash of the whole machine may lose: it costs milliseconds.
*/
function writeFileAtomic(path, content, mode = 384, durable = true) {
	const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
	const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
	const fd = openSync(temporary, "wx", mode);
	try {
		try {
			for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset);
			if (durable) fsyncSync(fd);
		} finally {
			closeSync(fd);
		}
		renameOver(temporary, path);
	} catch (error) {
		try {
			unlinkSync(temporary);
		} catch {}
		throw error;
	}
}
/** Renames over what is there. Windows refuses it while a virus scanner or an indexer holds the target: a few more tries. */
function renameOver(from, to) {
	for (let attempt = 1;; attempt += 1) try {
		renameSync(from, to);
		return;
	} catch (error) {
		const busy = [
			"EPERM",
			"EBUSY",
			"EACCES"
		].includes(systemCode(error) ?? "");
		if (process.platform !== "win32" || !busy || attempt >= 10) throw error;
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * attempt);
	}
}
var init_atomic_write = __esmMin((() => {
	init_errors();
}));
//#endregion
//#region src/core/json.ts
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function stringOf(value) {
	return typeof value === "string" ? value : null;
}
function numberOf(value) {
	return typeof value === "number" && Number.isFinite(value) ? value : null;
}
function arrayOf(value) {
	return Array.isArray(value) ? value : [];
}
function objectOf(value) {
	return isObject(value) ? value : {};
}
/** The value as indented JSON with a final newline. Lone surrogates stay escaped (`\ud83d`), so that the file is valid UTF-8. */
function toJsonFile(value) {
	return `${JSON.stringify(value, null, 2)}\n`;
}
var init_json = __esmMin((() => {}));
//#endregion
//#region src/rundir/layout.ts
/** The absolute path of an artifact of the run directory `dir`. */
function artifactPath(dir, name) {
	return join(dir, ARTIFACTS[name]);
}
/**
* Whether baton itself gives this name to something in a run directory, if only for a moment: an artifact, the new file
* beside one that is about to replace it, or the claim. Such a name is never a change of the implementer's.
*/
function isOwnName(name) {
	return OWN_NAMES.has(name) || isTemporaryName(name) || name === ".baton-claim" || name.startsWith(`.baton-claim.`);
}
/** Whether this is the new file of an atomic write of an artifact; a kill in its middle leaves it behind. */
function isTemporaryName(name) {
	const match = /^\.(.+)\.[0-9a-f]{12}\.tmp$/.exec(name);
	return match?.[1] !== void 0 && OWN_NAMES.has(match[1]);
}
var ARTIFACTS, CLAIM, OWN_NAMES;
var init_layout = __esmMin((() => {
	ARTIFACTS = {
		/** The brief, byte for byte. */
		brief: "brief.txt",
		/** The implementer's stdout, byte for byte: it writes here itself. */
		events: "events.jsonl",
		stderr: "stderr.txt",
		/** The final text, also when it is empty. */
		final: "final.txt",
		/** What the implementer may do, as its CLI reads it. */
		profile: "profile.json",
		/** The JSON Schema that the answer must match, for a CLI that takes it as a file. */
		outputSchema: "output-schema.json",
		/** The live record: phase, processes, heartbeat. */
		live: "run.json",
		result: "result.json",
		/** Exactly what the run changed, binary-safe. */
		patch: "changes.patch",
		/** What became of the run's changes: landed, discarded, undone. */
		landing: "landing.json",
		/** Git objects of both sides of every changed path, and the private index. */
		objects: "objects",
		snapshot: "snapshot",
		/** The last time that the gates were run, and the look at them before the run. */
		gates: "gates.json",
		/** The review as a page, made on request. */
		report: "report.html",
		/** What each gate printed. */
		gateOutput: "gate-output",
		/** Freed when the disk is full, so that the result can still be written. */
		reserve: ".reserve"
	};
	CLAIM = ".baton-claim";
	OWN_NAMES = new Set(Object.values(ARTIFACTS));
}));
//#endregion
//#region src/process/table.ts
init_locate();
init_clock();
init_atomic_write();
init_json();
init_layout();
/** All living processes. Empty where the system tells nothing. */
function readTable(platform = process.platform) {
	if (platform === "linux") return readProc();
	const living = readPs(["-A"]).filter((entry) => entry.living);
	return {
		entries: new Map(living.map((entry) => [entry.pid, entry])),
		stirred: false
	};
}
/** One process, also when it only waits to be reaped; null when there is none. */
function readEntry(pid, platform = process.platform) {
	if (platform === "linux") return readStat(pid);
	return readPs(["-p", String(pid)])[0] ?? null;
}
/** The ids of all processes as one text: as long as it is the same, no process was started. Null where that costs too much. */
function readPids(platform = process.platform) {
	return platform === "linux" ? procNames().join(" ") : null;
}
function readProc() {
	const entries = /* @__PURE__ */ new Map();
	let stirred = false;
	for (const name of procNames()) {
		const entry = readStat(Number(name));
		if (entry === null) stirred = true;
		else if (entry.living) entries.set(entry.pid, entry);
	}
	return {
		entries,
		stirred
	};
}
function procNames() {
	try {
		return readdirSync("/proc").filter((name) => name.charCodeAt(0) <= 57 && name.charCodeAt(0) >= 49);
	} catch {
		return [];
	}
}
function readStat(pid) {
	let text;
	try {
		text = readFirstBlock(`/proc/${pid}/stat`);
	} catch {
		return null;
	}
	const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
	const [state, parent, group] = fields;
	const threads = Number(fields[17]);
	const ticks = fields[19];
	if (state === void 0 || ticks === void 0) return null;
	const living = !(state === "Z" && threads <= 1 || state === "X");
	const started = Number(ticks);
	return {
		pid,
		parent: Number(parent),
		group: Number(group),
		birth: `${bootId()}/${ticks}`,
		started,
		living
	};
}
/** A line of `stat` is far shorter. One buffer for all: a look reads hundreds of them, and `readFileSync` costs each twice as much. */
const block = Buffer.alloc(4096);
function readFirstBlock(path) {
	const fd = openSync(path, "r");
	try {
		return block.toString("latin1", 0, readSync(fd, block, 0, block.length, 0));
	} finally {
		closeSync(fd);
	}
}
let boot;
/** Ticks count from the boot: without its id, a process of before the last restart could pass for one of now. */
function bootId() {
	if (boot === void 0) try {
		boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
	} catch {
		boot = "boot";
	}
	return boot;
}
const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*\d{4})\s*$/;
/** macOS and others: whole seconds are all that their `ps` says of a birth. */
function readPs(selection) {
	const columns = ["-o", "pid=,ppid=,pgid=,stat=,lstart="];
	const { stdout } = spawnSync("ps", [...selection, ...columns], {
		encoding: "latin1",
		env: {
			PATH: "/usr/bin:/bin",
			LC_ALL: "C",
			TZ: "UTC"
		},
		stdio: [
			"ignore",
			"pipe",
			"ignore"
		],
		timeout: 5e3,
		windowsHide: true
	});
	return (stdout ?? "").split("\n").flatMap((row) => {
		const [, pid, parent, group, stat, lstart] = PS_ROW.exec(row) ?? [];
		if (stat === void 0) return [];
		const started = Date.parse(`${lstart} UTC`) / 1e3;
		const living = !stat.startsWith("Z");
		return [{
			pid: Number(pid),
			parent: Number(parent),
			group: Number(group),
			birth: `ps/${started}`,
			started,
			living
		}];
	});
}
//#endregion
//#region src/process/birth.ts
init_errors();
/**
* When the process with this id began, as a text that is the same for every program on this machine that asks. Kept
* beside a pid, it tells the process from a later one with the same number. Null when there is no such process, or
* where the platform does not say.
*/
function birthOf(pid, platform = process.platform) {
	return platform === "win32" ? null : readEntry(pid, platform)?.birth ?? null;
}
/** Whether the process lives: the same one, where its birth is known. One that only waits to be reaped does not. */
function isAlive(pid, birth, platform = process.platform) {
	if (pid <= 0 || !exists$1(pid)) return false;
	if (platform === "win32") return true;
	const entry = readEntry(pid, platform);
	return entry !== null && entry.living && (birth === null || entry.birth === birth);
}
function exists$1(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return systemCode(error) === "EPERM";
	}
}
//#endregion
//#region src/rundir/artifact.ts
/**
* Writes an artifact whole, mode 0600, in place of what has its name: a link that was planted there is replaced, never
* followed. Throws the system's error; a run directory that is gone is not made again.
*/
function writeArtifact(dir, name, content) {
	writeFileAtomic(artifactPath(dir, name), content, 384, false);
}
/**
* The text of a regular file, or null where there is none. Throws a BatonError for anything else that has the name: a
* link could lead anywhere, and reading a FIFO would wait for ever.
*/
function readRegularFile(path) {
	let fd;
	try {
		fd = openSync(path, constants$1.O_RDONLY | (constants$1.O_NOFOLLOW ?? 0) | (constants$1.O_NONBLOCK ?? 0));
	} catch (error) {
		if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return null;
		if (systemCode(error) === "ELOOP") throw notRegular(path);
		throw new BatonError("unreadable", `${path} cannot be read: ${messageOf$1(error)}`, { cause: error });
	}
	try {
		if (!fstatSync(fd).isFile()) throw notRegular(path);
		return readFileSync(fd, "utf8");
	} finally {
		closeSync(fd);
	}
}
function notRegular(path) {
	return new BatonError("unreadable", `${path} is not a regular file: baton does not read it`);
}
var init_artifact = __esmMin((() => {
	init_errors();
}));
//#endregion
//#region src/rundir/state-folder.ts
/** Makes a folder, and those above it, that only this user can enter. Those that exist keep their mode. */
function makePrivateFolder(path) {
	mkdirSync(path, {
		recursive: true,
		mode: 448
	});
}
/**
* Names a working tree in the state folder: `<its name>-<hash of its real path>`. The name is for people and is cut
* down to plain characters; the hash makes it the tree's own. Throws when the tree does not exist.
*/
function treeKey(treeTop) {
	const real = realpathSync.native(treeTop);
	return `${basename(real).replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^[.-]+/, "").slice(0, 40) || "tree"}-${shortHash(real)}`;
}
/** Where the runs of a working tree are kept, or pointed to. */
function runsFolder(stateHome, treeTop) {
	return join(stateHome, "runs", treeKey(treeTop));
}
/** Twelve hexadecimal digits that stand for a text. */
function shortHash(text) {
	return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
/** Replaces a small record of the state folder, whole. Not synced: after a power cut it may be the older one. */
function writeRecord(path, record) {
	writeFileAtomic(path, toJsonFile(record), 384, false);
}
/** A record as it lies there; null where there is none, or where it is damaged: records only ever help to find things. */
function readRecord(path) {
	try {
		return parseRecord(readRegularFile(path) ?? "");
	} catch {
		return null;
	}
}
/** A JSON object from its text; null for anything else. */
function parseRecord(text) {
	try {
		const value = JSON.parse(text);
		return isObject(value) ? value : null;
	} catch {
		return null;
	}
}
var init_state_folder = __esmMin((() => {
	init_atomic_write();
	init_artifact();
}));
//#endregion
//#region src/rundir/live.ts
init_json();
init_artifact();
init_layout();
init_state_folder();
const LIVE_SCHEMA = "baton.run.v1";
const HEARTBEAT_MS = 1e4;
/**
* Keeps the `run.json` of one run up to date, with a heartbeat that holds no process open. After the first write nothing here
* throws: the record tells others about the run, and a full disk must not end the run through it.
*/
var LiveRecord = class LiveRecord {
	#dir;
	#heartbeat;
	#state;
	constructor(dir, state) {
		this.#dir = dir;
		this.#state = state;
		this.#heartbeat = setInterval(() => this.#update({}), HEARTBEAT_MS).unref();
	}
	/** Writes the first `run.json`, with this process as the supervisor. Throws the system's error. */
	static start(dir, run) {
		const now = (/* @__PURE__ */ new Date()).toISOString();
		const state = {
			schema: LIVE_SCHEMA,
			runId: run.runId,
			phase: "starting",
			supervisor: thisProcess(),
			implementer: null,
			treeTop: run.treeTop,
			startedAt: now,
			heartbeat: now
		};
		write(dir, state);
		return new LiveRecord(dir, state);
	}
	phase(phase) {
		this.#update({ phase });
	}
	/** The implementer was launched: the run is under way. */
	started(implementer) {
		this.#update({
			phase: "running",
			implementer
		});
	}
	/**
	* The run is over, with a result or without one: a supervisor that lives on (a library's host) must not make it look
	* alive for ever.
	*/
	close() {
		clearInterval(this.#heartbeat);
		if (this.#state.phase !== "finished") this.phase("finished");
	}
	#update(change) {
		this.#state = {
			...this.#state,
			...change,
			heartbeat: (/* @__PURE__ */ new Date()).toISOString()
		};
		if ((readLive(this.#dir)?.runId ?? this.#state.runId) !== this.#state.runId) return;
		try {
			write(this.#dir, this.#state);
		} catch {}
	}
};
function write(dir, state) {
	writeArtifact(dir, "live", toJsonFile(state));
}
/** This process. It is asked for several times in a start, and a birth does not change. */
function thisProcess() {
	self ??= {
		pid: process.pid,
		birth: birthOf(process.pid)
	};
	return self;
}
let self;
/** Judges the run in a directory by the process that watches it: a killed run must not look alive for ever. */
function liveness(dir) {
	const live = readLive(dir);
	if (live?.phase === "finished") return "finished";
	if (live && isAlive(live.supervisor.pid, live.supervisor.birth)) return "running";
	const result = readRecord(join(dir, ARTIFACTS.result));
	if (!result) return "lost";
	return !live || result["runId"] === live.runId ? "finished" : "lost";
}
/** What `run.json` says, read tolerantly; null where it is absent or names no run or no supervisor. */
function readLive(dir) {
	const record = readRecord(join(dir, ARTIFACTS.live));
	const supervisor = readIdentity(record?.["supervisor"]);
	const runId = stringOf(record?.["runId"]);
	if (!record || !supervisor || runId === null) return null;
	return {
		runId,
		supervisor,
		phase: stringOf(record["phase"]) ?? "",
		startedAt: stringOf(record["startedAt"]) ?? ""
	};
}
/** Null for what names no process. */
function readIdentity(value) {
	const { pid, birth } = objectOf(value);
	const number = numberOf(pid);
	return number === null ? null : {
		pid: number,
		birth: stringOf(birth)
	};
}
//#endregion
//#region src/rundir/reserve.ts
init_layout();
const RESERVE_BYTES = 1024 ** 2;
/**
* Puts 1 MiB aside in a run directory. The bytes are random, so that no file system can compress or share them away.
* Never throws: without the room for it the run will be stopped for want of space, and says so itself.
*/
function createReserve(dir) {
	const path = artifactPath(dir, "reserve");
	try {
		writeFileSync(path, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)), {
			flag: "wx",
			mode: 384
		});
	} catch {
		freeReserve(dir);
	}
}
/** Gives the room back: on a full disk before the result is written, and at the end of every run. Never throws. */
function freeReserve(dir) {
	try {
		unlinkSync(artifactPath(dir, "reserve"));
	} catch {}
}
//#endregion
//#region src/rundir/write-result.ts
init_atomic_write();
init_errors();
init_json();
init_layout();
/**
* Writes `result.json` whole, synced to the disk, or not at all. On a full disk the reserve is freed and the write tried again.
*
* Throws a BatonError `result-not-written` with the reason: the disk is full, or the run directory was removed (it is
* not made again: nobody would look there) or was taken by another run.
*/
function writeResult(dir, result) {
	const owner = readLive(dir)?.runId;
	if (owner !== void 0 && owner !== result.runId) throw notWritten(dir, `the directory belongs to run ${owner} now`);
	const path = artifactPath(dir, "result");
	const text = toJsonFile(result);
	try {
		try {
			writeFileAtomic(path, text);
		} catch (error) {
			if (!isDiskFull(error)) throw error;
			freeReserve(dir);
			writeFileAtomic(path, text);
		}
	} catch (error) {
		throw notWritten(dir, reasonOf$2(error), error);
	}
}
/** Out of space, or of the user's quota of it. */
function isDiskFull(error) {
	return ["ENOSPC", "EDQUOT"].includes(systemCode(error) ?? "");
}
function reasonOf$2(error) {
	if (isDiskFull(error)) return "the disk is full";
	if (systemCode(error) === "ENOENT") return "the run directory was removed while the run was under way";
	return messageOf$1(error);
}
function notWritten(dir, reason, cause) {
	return new BatonError("result-not-written", `no result.json was written in ${dir}: ${reason}`, { cause });
}
//#endregion
//#region src/core/version.ts
/** Baton's own version; a test holds it against package.json, so that no file has to be read at start-up. */
const BATON_VERSION = "0.1.0";
//#endregion
//#region src/rundir/result.ts
/**
* `result.json`: what is known about a finished run. Three blocks answer three questions and never lend each
* other a word: `process` how it ended, `agent` what the implementer says, `evidence` what baton saw.
*
* `result-schema.ts` holds the same contract as zod schemas; the two are checked against each other by the compiler.
*/
const RESULT_SCHEMA = "delegate-relay.result.v1";
//#endregion
//#region src/running/stderr-tail.ts
init_text();
/** The last 20 lines of a run's stderr that are not blank; only the end of the file is read, it may be huge. */
function stderrTail(path) {
	try {
		const fd = openSync(path, "r");
		try {
			const { size } = fstatSync(fd);
			const bytes = Buffer.alloc(Math.min(size, 64 * 1024));
			readSync(fd, bytes, 0, bytes.length, size - bytes.length);
			return lastLines(bytes.toString("utf8"), 20);
		} finally {
			closeSync(fd);
		}
	} catch {
		return [];
	}
}
//#endregion
//#region src/dispatch/report.ts
/** The parts that a brief asks for, and the headings under which implementers were seen to put them. */
const PARTS = {
	changed: /^(?:what (?:was )?changed(?: and why)?|changed|changes|summary)$/,
	files: /^(?:(?:changed |touched |modified )?files(?: (?:changed|touched|modified))?)$/,
	gates: /^(?:gates?|gate (?:outcomes|results)|verification)$/,
	deviations: /^deviations(?: from the brief)?$/,
	questions: /^(?:open )?questions$/,
	deviationsAndQuestions: /^deviations (?:and|&|or) (?:open )?questions$/
};
const PART_NAMES = [
	"changed",
	"files",
	"gates",
	"deviations",
	"questions",
	"deviationsAndQuestions"
];
/** A final text may be megabytes; a report stands at its end, and is short. */
const MOST_CHARACTERS = 64 * 1024;
/**
* The parts of the implementer's report, read back from its final text: a Markdown heading, or a line in bold, for each.
* Of a heading that stands there twice the last counts. Null where fewer than two parts can be told: one heading of
* such a common name is no report. All of it is claim.
*/
function readReport(finalText) {
	const parts = partsOf$1(finalText.slice(-MOST_CHARACTERS));
	if (parts.size < 2) return null;
	const deviations = itemsOf(parts.get("deviations"));
	const questions = itemsOf(parts.get("questions"));
	const both = itemsOf(parts.get("deviationsAndQuestions"));
	return {
		changed: parts.has("changed") ? (parts.get("changed") ?? []).join("\n").trim() : null,
		files: itemsOf(parts.get("files"))?.map(fileOf) ?? null,
		gates: itemsOf(parts.get("gates"))?.map(gateOf) ?? null,
		deviations: both ? [...deviations ?? [], ...both.filter((one) => !asks(one))] : deviations,
		questions: both ? [...questions ?? [], ...both.filter(asks)] : questions
	};
}
/** The lines below each heading. What stands in a fence is quoted, and no heading. */
function partsOf$1(text) {
	const parts = /* @__PURE__ */ new Map();
	let current = null;
	let fence = null;
	for (const line of text.split(/\r?\n/)) {
		const sign = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
		if (sign?.[1] !== void 0) {
			if (fence === null) fence = sign[1];
			else if (sign[1].startsWith(fence) && sign[2]?.trim() === "") fence = null;
		}
		const heading = fence === null && !sign ? headingOf(line) : null;
		if (heading === null) {
			current?.push(line);
			continue;
		}
		const part = PART_NAMES.find((name) => PARTS[name].test(heading));
		current = part === void 0 ? null : [];
		if (part !== void 0 && current) parts.set(part, current);
	}
	return parts;
}
function headingOf(line) {
	return (/^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line) ?? /^ {0,3}(?:\*\*|__)([^*_]+?)(?:\*\*|__):?\s*$/.exec(line))?.[1]?.replace(/[*_`]|:\s*$/g, "").trim().toLowerCase() ?? null;
}
const BULLET = /^ {0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)$/;
/** Bullets with their continuation lines, or else paragraphs; "none" is an empty list. */
function itemsOf(lines) {
	if (lines === void 0) return null;
	const bulleted = lines.some((line) => BULLET.test(line));
	const items = [];
	let open = false;
	for (const line of lines) {
		const bullet = BULLET.exec(line)?.[1];
		if (bullet !== void 0) items.push(bullet);
		else if (open && line.trim() !== "") items.push(`${items.pop() ?? ""} ${line.trim()}`);
		else if (!bulleted) items.push(line.trim());
		open = line.trim() !== "" && (bullet !== void 0 || open || !bulleted);
	}
	return items.map((item) => item.trim()).filter((item) => item !== "" && !isNone(item));
}
function isNone(item) {
	return /^[*_`(]*(?:none|nothing|no|n\/a|no (?:deviations?|(?:open )?questions?|files?|gates?))[*_`)]*[.!]?$/i.test(item);
}
function asks(item) {
	return item.endsWith("?");
}
/** "`path`: note", "path - note", "path (note)", or a path alone. */
function fileOf(item) {
	const { name, rest } = nameAndRest(item, /^[^\s:(]+/);
	return {
		path: name,
		note: rest
	};
}
function gateOf(item) {
	const { name, rest } = nameAndRest(item, /^.+?(?=:\s|\s[-–—]+\s|\s+\(|$)/);
	return {
		command: name,
		outcome: outcomeOf$1(rest),
		note: rest
	};
}
function nameAndRest(item, plain) {
	const bare = item.replace(/^\*\*(.+?)\*\*/, "$1");
	const quoted = /^(`+)(.+?)\1/.exec(bare);
	const whole = quoted?.[0] ?? plain.exec(bare)?.[0] ?? bare;
	const rest = bare.slice(whole.length).replace(/^\s*(?:[:–—-]+|→|=>)?\s*/, "");
	return {
		name: (quoted?.[2] ?? whole).trim(),
		rest: rest.trim()
	};
}
/** The first word that says how it went; "not" before it turns a pass into a failure. */
function outcomeOf$1(text) {
	const words = text.toLowerCase();
	if (/^\W*(?:not[ -](?:run|executed)|skipped|could not (?:be )?run|did not run|n\/a)\b/.test(words)) return "not-run";
	const match = /\b(?<failed>not pass\w*|(?:did|does|do)(?: not|n't) pass|fail\w*|red|errors?|exit(?:ed)?(?: with)?(?: code)? [1-9]\d*)\b|\b(?<passed>pass(?:ed|es|ing)?|green|ok|succeed(?:ed|s)?|success\w*|clean|exit(?:ed)?(?: with)?(?: code)? 0)\b|(?<tick>[✓✔✅])|(?<cross>[✗✘❌])|\b(?<not>not[ -]run|skipped|not executed)\b/u.exec(words.replace(/\b(?:no|0|without) (?:errors?|failures?|failed|failing)\b/g, ""))?.groups;
	if (!match) return "unclear";
	if (match["failed"] ?? match["cross"]) return "failed";
	if (match["not"]) return "not-run";
	return "passed";
}
//#endregion
//#region src/dispatch/compose.ts
init_layout();
/** Puts the findings into the words of the contract. Pure but for the tail of `stderr.txt`. */
function composeResult(found) {
	const { run, verdict, claim, report } = found;
	const { request, directory: runDir } = run;
	const { plan, version } = run.known;
	const resumedFrom = run.resume?.kind === "session" ? run.resume.id : null;
	const tail = verdict.status === "completed" ? null : stderrTail(artifactPath(runDir, "stderr"));
	const widened = widening(request);
	const agentReport = readReport(claim.finalText);
	return {
		schema: RESULT_SCHEMA,
		runId: run.id,
		implementer: request.implementer.id,
		batonVersion: BATON_VERSION,
		status: verdict.status,
		exitCode: verdict.exitCode,
		signal: verdict.signal,
		...verdict.error === null ? {} : { error: verdict.error },
		...tail === null ? {} : { stderrTail: tail },
		...request.implementer.ownFields({
			...request,
			version,
			claim,
			plan,
			resumedFrom
		}),
		finalMessage: claim.finalText,
		numTurns: claim.numTurns,
		usage: claim.usage ?? null,
		totalCostUsd: claim.cost.usd,
		touchedFiles: report.touchedFiles,
		...report.readOnlyViolation === void 0 ? {} : { readOnlyViolation: report.readOnlyViolation },
		workdir: request.workdir,
		lane: request.lane?.name ?? null,
		laneSource: request.lane?.source ?? null,
		...request.lane === null ? {} : { laneDials: request.lane.dials },
		model: request.model,
		effort: request.effort,
		maxTurns: request.maxTurns,
		maxBudgetUsd: request.maxBudgetUsd === null ? null : Number(request.maxBudgetUsd),
		...request.autocompact === null ? {} : { autocompact: request.autocompact },
		timeout: request.timeout,
		readOnly: request.profile === "read-only",
		resumed: request.resumeLast || request.session !== null,
		resumeLast: request.resumeLast,
		...request.parent === null ? {} : { parent: request.parent },
		toolSurface: plan.toolSurface,
		shellSandbox: plan.shellSandbox,
		dangerouslySkipPermissions: request.profile === "bypass",
		...widened ? { widened } : {},
		startedAt: run.startedAt.toISOString(),
		finishedAt: found.finishedAt.toISOString(),
		briefPath: artifactPath(runDir, "brief"),
		eventsPath: artifactPath(runDir, "events"),
		finalPath: artifactPath(runDir, "final"),
		stderrPath: artifactPath(runDir, "stderr"),
		settingsPath: artifactPath(runDir, "profile"),
		resultPath: artifactPath(runDir, "result"),
		patchPath: report.patchPath,
		process: found.process,
		agent: {
			claim: claim.claim,
			reason: found.sandboxMissing ? "sandbox-unavailable" : claim.reason,
			retryable: found.sandboxMissing ? false : claim.retryable,
			retryAt: claim.retryAt,
			denials: claim.denials,
			retries: claim.retries,
			...claim.structuredOutput === void 0 ? {} : { structuredOutput: claim.structuredOutput },
			finalTextSource: claim.finalTextSource,
			resumedFrom,
			model: claim.model,
			toolCalls: claim.toolCalls,
			subagents: claim.subagents,
			...agentReport === null ? {} : { report: agentReport }
		},
		evidence: report.evidence,
		stream: found.stream,
		cost: claim.cost
	};
}
function widening(request) {
	const { allowHooks, allowWrite, allowDomains } = request;
	if (!allowHooks && allowWrite.length === 0 && allowDomains.length === 0) return void 0;
	return {
		hooks: allowHooks,
		write: allowWrite,
		domains: allowDomains
	};
}
//#endregion
//#region src/running/judge.ts
/**
* Exit 0 is no success, `subtype: "success"` is none, and a missing result is none: `completed` needs a clean exit
* and a terminal event that claims success. A success claim with a bad exit stays failed, the claim stays as it is.
*/
function judge$1(run, outcome) {
	const { process: ended, code, signal } = outcome;
	const failure = (error, exitCode = exitCodeOf(code, signal)) => ({
		status: "failed",
		exitCode,
		signal,
		error
	});
	if (outcome.launchError) return launchFailure(run, outcome.launchError);
	if (outcome.stopped) return failure(outcome.stopped.message);
	if (ended.exit === "timeout") return {
		status: "timeout",
		exitCode: exitCodeOf(code, signal),
		signal,
		error: timeoutText(run, outcome)
	};
	if (ended.endedAfterResult) {
		if (run.claim.claim === "success") return {
			status: "completed",
			exitCode: 0,
			signal: null,
			error: null
		};
		return {
			status: "failed",
			exitCode: 1,
			signal: null,
			error: claimText(run.claim)
		};
	}
	if (signal) return failure(`${run.id} was ended by ${signal}, which baton did not send`);
	if (ended.exit === "unobserved") return failure(`how ${run.id} ended could not be observed`);
	if (code !== 0) return failure(exitText(run, code));
	if (run.claim.claim === "error") return failure(claimText(run.claim));
	if (run.claim.claim === "none") return failure(`${run.id} exited 0 without a terminal event: whether it finished is not known, so it counts as failed`);
	return {
		status: "completed",
		exitCode: 0,
		signal: null,
		error: null
	};
}
/** The verdict on a run that was not started because the preflight said so. */
function judgePreflight(run, probe, limitMs) {
	if (probe.answer === "hung") return {
		status: "timeout",
		exitCode: 124,
		signal: null,
		error: `the version preflight of ${run.id} gave no answer within ${limitMs / 1e3} s: nothing was dispatched`
	};
	return missing$3(run, probe.why);
}
/** The signal that an abort stands for: its reason, where that is a signal's name. */
function abortCause(signal) {
	return typeof signal.reason === "string" && signal.reason.startsWith("SIG") ? signal.reason : "SIGINT";
}
function judgeAbort(signal) {
	return {
		status: "aborted",
		exitCode: 128 + signalNumber(signal),
		signal,
		error: `baton got ${signal} and ended the run`
	};
}
function launchFailure(run, failure) {
	if (failure.code === "ENOENT") return missing$3(run);
	return {
		status: "failed",
		exitCode: 1,
		signal: null,
		error: `${run.id} could not be started (${failure.code}): ${failure.message}`
	};
}
function missing$3(run, why) {
	return {
		status: run.unavailable,
		exitCode: 127,
		signal: null,
		error: why === void 0 ? `no executable \`${run.id}\` on PATH: install it, or put its folder on PATH` : `the \`${run.id}\` on PATH cannot be started: ${why}; install it again`
	};
}
function timeoutText(run, { process: ended }) {
	if (ended.timeoutKind === "first-event") return `no event from ${run.id} within ${run.clockFlags.firstEvent}: the run was ended`;
	if (ended.timeoutKind === "idle") return `${run.id} was silent for ${run.clockFlags.idle}: the run was ended`;
	return `the run reached ${run.clockFlags.wall} and was ended`;
}
function exitText(run, code) {
	if (run.claim.claim === "error" || run.claim.errorText !== null) return claimText(run.claim);
	if (run.claim.claim === "success") return `${run.id} reported success but exited ${code}`;
	return `${run.id} exited ${code} without a terminal event`;
}
function claimText(claim) {
	return claim.errorText ?? "the implementer reported an error without a text";
}
/** Never 0: only asked where the run did not succeed. */
function exitCodeOf(code, signal) {
	if (signal) return 128 + signalNumber(signal);
	return code === null || code === 0 ? 1 : code;
}
function signalNumber(signal) {
	return constants.signals[signal] ?? 1;
}
//#endregion
//#region src/dispatch/not-started.ts
/** The facts of a run in which no implementer started. */
function noProcess(exit, durationMs, timeoutKind = null) {
	return {
		pid: null,
		exit,
		timeoutKind,
		endedAfterResult: false,
		swept: [],
		survivors: [],
		durationMs: Math.round(durationMs),
		clockGapMs: 0
	};
}
const NO_STREAM = {
	bytes: 0,
	events: 0,
	unreadable: 0,
	oversize: 0,
	truncated: false
};
/** What is known of the tree before anybody could look. */
function unseenEvidence(why, readOnly) {
	return {
		evidence: {
			tree: "unknown",
			beforeTree: null,
			afterTree: null,
			baseCommit: null,
			changes: [],
			violations: [],
			notices: [],
			coverage: {
				complete: false,
				gaps: [why],
				ignored: "not-scanned"
			}
		},
		touchedFiles: null,
		readOnlyViolation: readOnly ? null : void 0,
		patchPath: null
	};
}
//#endregion
//#region src/dispatch/abort.ts
/** After an abort the tree is looked at again this much later: what was being written then has landed or died. */
const SETTLE_MS = 2e3;
/**
* Waits for the request to stop. A first result is written at once, since the one who asks may not wait: it says
* `aborted` and that the tree was not compared yet. The ordinary end writes the second one.
*/
function watchAbort(run, options) {
	const signal = options.signal ?? new AbortController().signal;
	const hurry = options.hurry ?? new AbortController().signal;
	let at = null;
	const onAbort = () => {
		at = systemClock.monotonic();
		try {
			writeResult(run.directory, provisionalResult(run, abortCause(signal)));
		} catch {}
	};
	if (signal.aborted) onAbort();
	else signal.addEventListener("abort", onAbort, { once: true });
	return {
		signal,
		hurry,
		cause: () => signal.aborted ? abortCause(signal) : null,
		settled: () => pause$2(at === null ? 0 : at + SETTLE_MS - systemClock.monotonic(), hurry),
		stop: () => signal.removeEventListener("abort", onAbort)
	};
}
function provisionalResult(run, cause) {
	const { request } = run;
	return composeResult({
		run,
		finishedAt: new Date(systemClock.wall()),
		verdict: judgeAbort(cause),
		claim: run.reader.claim(),
		process: {
			...noProcess("aborted", systemClock.monotonic() - run.startedMonotonic),
			pid: run.known.pid
		},
		stream: NO_STREAM,
		report: unseenEvidence("the run was being ended: the working tree was not compared yet", request.profile === "read-only"),
		sandboxMissing: false
	});
}
//#endregion
//#region src/stream/file-follower.ts
const BLOCK_BYTES$1 = 64 * 1024;
/** Blocks that are read in one go before timers and signals get their turn. */
const BURST = 32;
const POLL_MS$1 = 200;
/**
* Reads along a file that another process appends to. It is woken by the file system and, where that says nothing
* (network file systems, watch limits), by a slow poll. It holds the file open, so that a removed directory loses
* nothing; it never keeps the event loop alive.
*/
var FileFollower = class {
	/** Bytes read so far. */
	bytes = 0;
	#listener;
	#fd;
	#block = Buffer.allocUnsafeSlow(BLOCK_BYTES$1);
	#path;
	#poll;
	#watcher = null;
	#position = 0;
	#reading = null;
	#closed = false;
	/** Opens the file. Throws the system's error when it cannot be opened; nothing later does. */
	constructor(path, listener) {
		this.#listener = listener;
		this.#path = path;
		this.#fd = openSync(path, "r");
	}
	/** From now on what is appended is read by itself. */
	start() {
		this.#poll = setInterval(() => this.look(), POLL_MS$1).unref();
		this.#watcher = watchQuietly(this.#path, () => this.look());
	}
	/** Reads what is there now; when that is much, a part of it now and the rest in the next turns. */
	look() {
		if (this.#closed || this.#reading) return;
		if (!this.#readBurst()) return;
		this.#reading = setImmediate(() => {
			this.#reading = null;
			this.look();
		});
	}
	/** The writers are gone: reads what is left, to the end, and closes. */
	async finish() {
		while (!this.#closed && this.#readBurst()) await setImmediate$1();
		this.close();
	}
	close() {
		if (this.#closed) return;
		this.#closed = true;
		clearInterval(this.#poll);
		if (this.#reading) clearImmediate(this.#reading);
		this.#watcher?.close();
		closeSync(this.#fd);
	}
	/** Reads a few blocks. Returns whether there may be more. */
	#readBurst() {
		for (let blocks = 0; blocks < BURST; blocks += 1) {
			const count = this.#read();
			if (count === 0) return false;
			this.#position += count;
			this.bytes += count;
			this.#listener.onBytes(this.#block.subarray(0, count));
			if (this.#closed) return false;
		}
		return true;
	}
	#read() {
		try {
			const count = readSync(this.#fd, this.#block, 0, BLOCK_BYTES$1, this.#position);
			if (count === 0) this.#checkLength();
			return count;
		} catch {
			this.#listener.onCutBack();
			this.close();
			return 0;
		}
	}
	#checkLength() {
		const { size } = fstatSync(this.#fd);
		if (size >= this.#position) return;
		this.#position = size;
		this.#listener.onCutBack();
	}
};
/** A watcher that does not hold the process, or null where watching is not to be had: the poll is enough then. */
function watchQuietly(path, onChange) {
	try {
		const watcher = watch(path, { persistent: false }, onChange);
		watcher.on("error", () => watcher.close());
		return watcher;
	} catch {
		return null;
	}
}
//#endregion
//#region src/stream/line-splitter.ts
const NEWLINE = 10;
/** A tail buffer that a giant line has grown is let go again above this size. */
const KEPT_CAPACITY = 1 << 20;
/**
* Cuts a stream of bytes into lines, at byte 0x0A and nowhere else: U+2028 stands unescaped in JSON strings, and a
* UTF-8 sequence may be cut anywhere between two chunks.
*
* Each byte is looked at once and copied at most twice, however the chunks fall. A line of more than `maxLineBytes` is
* dropped and counted, and reading goes on after the next newline.
*/
var LineSplitter = class {
	oversize = 0;
	#maxLineBytes;
	#onLine;
	/** The begun line: the first `#length` bytes. */
	#tail = Buffer.alloc(0);
	#length = 0;
	/** Inside a line that is too long. */
	#skipping = false;
	constructor(maxLineBytes, onLine) {
		this.#maxLineBytes = maxLineBytes;
		this.#onLine = onLine;
	}
	/** Takes the next bytes. They are not kept: the caller may use the buffer again. */
	push(chunk) {
		let start = 0;
		for (;;) {
			const newline = chunk.indexOf(NEWLINE, start);
			if (newline === -1) break;
			if (this.#length > 0 || this.#skipping) this.#finish(chunk, start, newline);
			else if (newline - start > this.#maxLineBytes) this.oversize += 1;
			else this.#onLine(chunk, start, newline);
			start = newline + 1;
		}
		if (start < chunk.length) this.#keep(chunk, start, chunk.length);
	}
	/** Hands over a last line that has no newline. */
	end() {
		if (this.#length > 0) this.#release();
		this.#skipping = false;
	}
	/** Forgets the begun line: what came before it and what comes next do not belong together. */
	drop() {
		this.#length = 0;
		this.#skipping = false;
	}
	#finish(chunk, start, newline) {
		this.#keep(chunk, start, newline);
		if (this.#skipping) this.#skipping = false;
		else this.#release();
	}
	#release() {
		const [line, length] = [this.#tail, this.#length];
		this.#length = 0;
		if (line.length > KEPT_CAPACITY) this.#tail = Buffer.alloc(0);
		this.#onLine(line, 0, length);
	}
	#keep(chunk, start, end) {
		if (this.#skipping) return;
		const length = this.#length + (end - start);
		if (length > this.#maxLineBytes) {
			this.oversize += 1;
			this.#skipping = true;
			this.#length = 0;
			if (this.#tail.length > KEPT_CAPACITY) this.#tail = Buffer.alloc(0);
			return;
		}
		if (length > this.#tail.length) {
			const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#tail.length * 2, 4096));
			this.#tail.copy(larger, 0, 0, this.#length);
			this.#tail = larger;
		}
		chunk.copy(this.#tail, this.#length, start, end);
		this.#length = length;
	}
};
//#endregion
//#region src/stream/record.ts
init_json();
/**
* Takes the JSON objects from one line of an agent CLI's output and never throws.
*
* Ordinarily that is one object. Recovered as well: objects behind a byte order mark or terminal escape sequences,
* several objects with no newline between them, and the objects of one array (a CLI that was asked for a whole
* document prints that). An object behind other text is not taken: a log line that quotes a result is no result.
*/
function readLine(text, onRecord) {
	let value;
	try {
		value = JSON.parse(text);
	} catch {
		return readNoisyLine(text, onRecord);
	}
	return deliver(value, onRecord);
}
/** Whether a line that was cut off could have become a record: how an output that was cut differs from plain text. */
function beginsLikeRecord(text) {
	const start = skipNoise(text, 0);
	return /^(?:\{|\[\s*\{)/.test(text.slice(start, start + 64));
}
function deliver(value, onRecord) {
	const objects = (Array.isArray(value) ? value : [value]).filter(isObject);
	for (const object of objects) onRecord(object);
	return objects.length > 0 ? "records" : "ignored";
}
function readNoisyLine(text, onRecord) {
	let kind = "blank";
	for (let at = skipNoise(text, 0); at < text.length; at = skipNoise(text, at)) {
		const end = text[at] === "{" ? endOfObject(text, at) : text.length;
		let value;
		try {
			value = JSON.parse(text.slice(at, end).trimEnd());
		} catch {
			return "unreadable";
		}
		const piece = deliver(value, onRecord);
		if (kind !== "records") kind = piece;
		at = end;
	}
	return kind;
}
/** One terminal escape sequence: CSI, a string (OSC, DCS ...) up to its terminator, or a short one. */
const ESCAPE = /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[ -/]{1,8}[0-~]|[0-Z\\`-~])/y;
/** The index of the first character from `at` on that is neither white space, a control character, a BOM nor an escape sequence. */
function skipNoise(text, at) {
	for (let index = at; index < text.length;) {
		const code = text.charCodeAt(index);
		ESCAPE.lastIndex = index;
		if (code === 27 && ESCAPE.test(text)) index = ESCAPE.lastIndex;
		else if (code <= 32 || code === 127 || code === 65279) index += 1;
		else return index;
	}
	return text.length;
}
/** Where the object that begins at `start` ends (after its brace), or the end of the text when it is not closed. */
function endOfObject(text, start) {
	let depth = 0;
	let inString = false;
	for (let index = start; index < text.length; index += 1) {
		const code = text.charCodeAt(index);
		if (inString) {
			if (code === 92) index += 1;
			else if (code === 34) inString = false;
		} else if (code === 34) inString = true;
		else if (code === 123) depth += 1;
		else if (code === 125) {
			depth -= 1;
			if (depth === 0) return index + 1;
		}
	}
	return text.length;
}
//#endregion
//#region src/stream/record-stream.ts
/** Turns the bytes of an agent CLI's output into records and keeps count of what could not be read. Never throws. */
var RecordStream = class {
	/** Objects that were handed on. */
	records = 0;
	/** Lines with something in them that is no JSON. */
	unreadable = 0;
	/** Lines of JSON without an object, such as `null` or `17`. */
	ignored = 0;
	/** The output ends in the middle of a record, or the log was cut back while it was read. */
	truncated = false;
	/** The last unreadable line began as a record. */
	#looksCut = false;
	#lines;
	#onRecord;
	/** A record of more than `maxRecordBytes` bytes is dropped and counted as `oversize`. */
	constructor(maxRecordBytes, onRecord) {
		this.#onRecord = (record) => {
			this.records += 1;
			onRecord(record);
		};
		const longest = Math.min(maxRecordBytes, constants$2.MAX_STRING_LENGTH);
		this.#lines = new LineSplitter(longest, (bytes, start, end) => this.#take(bytes.toString("utf8", start, end)));
	}
	get oversize() {
		return this.#lines.oversize;
	}
	push(bytes) {
		this.#lines.push(bytes);
	}
	/** The log is shorter than what was read of it: go on with what comes, but say so. */
	cutBack() {
		this.truncated = true;
		this.#lines.drop();
	}
	/** No more bytes will come. A last line without a newline counts as a line. */
	end() {
		this.#looksCut = false;
		this.#lines.end();
		if (this.#looksCut) this.truncated = true;
	}
	#take(text) {
		const kind = readLine(text, this.#onRecord);
		if (kind === "ignored") this.ignored += 1;
		if (kind !== "unreadable") return;
		this.unreadable += 1;
		this.#looksCut = beginsLikeRecord(text);
	}
};
//#endregion
//#region src/stream/follow-records.ts
init_errors();
const BLOCK_BYTES = 64 * 1024;
const POLL_MS = 200;
/**
* The records of a growing file, from its start, as fast as the consumer asks for them. Nothing is read ahead but one
* block, so records that nobody reads cost no memory. Each iteration has a place of its own in the file. A file that
* is not there yet is waited for; one that never comes is an empty stream.
*/
async function* followRecords(path, options) {
	const records = [];
	const stream = new RecordStream(options.maxRecordBytes, (record) => records.push(record));
	const growth = new Growth(path, options.over);
	const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
	let fd = null;
	try {
		for (;;) {
			const last = options.over.aborted;
			fd ??= openIfThere(path);
			const count = fd === null ? 0 : readSync(fd, block, 0, BLOCK_BYTES, null);
			if (count > 0) stream.push(block.subarray(0, count));
			else if (last) stream.end();
			yield* records.splice(0);
			if (count > 0) continue;
			if (last) return;
			await growth.next();
		}
	} finally {
		growth.close();
		if (fd !== null) closeSync(fd);
	}
}
function openIfThere(path) {
	try {
		return openSync(path, "r");
	} catch (error) {
		if (systemCode(error) === "ENOENT") return null;
		throw error;
	}
}
/** Waits for the file to grow, or for the run to be over; a slow poll stands in where watching says nothing. */
var Growth = class {
	#path;
	#over;
	#watcher = null;
	/** Something happened since the last wait. */
	#news = false;
	#wake = () => {};
	constructor(path, over) {
		this.#path = path;
		this.#over = over;
		over.addEventListener("abort", this.#onNews, { once: true });
	}
	async next() {
		this.#watcher ??= watchQuietly(this.#path, this.#onNews);
		if (!this.#news && !this.#over.aborted) await new Promise((resolve) => {
			const poll = setTimeout(resolve, POLL_MS);
			this.#wake = () => {
				clearTimeout(poll);
				resolve();
			};
		});
		this.#news = false;
	}
	close() {
		this.#watcher?.close();
		this.#over.removeEventListener("abort", this.#onNews);
	}
	#onNews = () => {
		this.#news = true;
		this.#wake();
	};
};
//#endregion
//#region src/dispatch/events.ts
init_layout();
/** The run's events, read from its log: each iteration has its own place in the file, and holds one record at a time. */
function eventsOf(opened, over) {
	return { async *[Symbol.asyncIterator]() {
		const run = await opened;
		if (!run) return;
		const reader = run.request.implementer.reader();
		const { maxRecordBytes } = run.request.limits;
		for await (const record of followRecords(artifactPath(run.directory, "events"), {
			over,
			maxRecordBytes
		})) yield* reader.read(record);
	} };
}
//#endregion
//#region src/implementers/dial-forms.ts
var MODEL_FORM, MODEL_RULE, EFFORT_FORM, EFFORT_RULE, SANDBOX_MODES;
var init_dial_forms = __esmMin((() => {
	MODEL_FORM = /^[A-Za-z0-9][A-Za-z0-9._:@/[\]-]*$/;
	MODEL_RULE = "a model name of letters, digits and . _ : @ / [ ] -, beginning with a letter or digit";
	EFFORT_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
	EFFORT_RULE = "a bare word";
	SANDBOX_MODES = [
		"read-only",
		"workspace-write",
		"danger-full-access"
	];
}));
//#endregion
//#region src/implementers/claude/containment.ts
/**
* What a run of this profile can still write. Each line was tried with the real CLI on Linux; macOS has the same
* settings and another kernel mechanism; Windows has no shell sandbox at all.
*/
function claudeContainment(request) {
	const [git, elsewhere] = walls(request);
	return { lines: [...IN_GIT_DIR.map((kind) => ({
		kind,
		...git
	})), ...ELSEWHERE.map((kind) => ({
		kind,
		...elsewhere[kind]
	}))] };
}
function walls(request) {
	if (request.profile === "read-only") return readOnlyWalls(request);
	if (request.platform === "win32") return openWalls("native Windows has no shell sandbox: only deny rules stand in the way");
	if (request.allowHooks) return openWalls("hooks were allowed: they run outside the sandbox, and the implementer can edit their scripts");
	return request.profile === "bypass" ? bypassWalls() : writeWalls(request);
}
function everywhere(wall) {
	return [wall, {
		"agent-settings": wall,
		scope: wall,
		"read-only": wall,
		outside: wall
	}];
}
function openWalls(why) {
	return everywhere(yes$1(why));
}
function readOnlyWalls({ allowHooks }) {
	if (allowHooks) return everywhere(yes$1("hooks were allowed: they run as the user, with no sandbox"));
	return everywhere(no$1("the implementer has Read, Glob and Grep, and hooks are off: nothing that it can call writes"));
}
function writeWalls({ allowWrite }) {
	return [GIT_WALL, {
		...OPEN_INSIDE,
		outside: allowWrite.length > 0 ? yes$1(`widened on request: ${allowWrite.join(", ")}`) : no$1("the shell sandbox and the permission rules end at the working directory")
	}];
}
/** With permissions skipped the shell is still sandboxed, and `ask` rules still stop Write and Edit in git directories. */
function bypassWalls() {
	const outside = yes$1("Write and Edit are not sandboxed and, with permissions skipped, go wherever the user may");
	return [GIT_WALL, {
		...OPEN_INSIDE,
		outside
	}];
}
var IN_GIT_DIR, ELSEWHERE, no$1, yes$1, GIT_WALL, OPEN_INSIDE;
var init_containment$1 = __esmMin((() => {
	IN_GIT_DIR = [
		"commit",
		"ref",
		"stash",
		"index",
		"hooks",
		"git-config"
	];
	ELSEWHERE = [
		"agent-settings",
		"scope",
		"read-only",
		"outside"
	];
	no$1 = (why) => ({
		possible: false,
		why
	});
	yes$1 = (why) => ({
		possible: true,
		why
	});
	GIT_WALL = no$1("the shell sandbox keeps git directories read-only, and Write and Edit are refused in them; a new nested repository is its own");
	OPEN_INSIDE = {
		"agent-settings": yes$1("only claude's own settings are guarded, and in a bypass run not even they: .codex, .agents, .delegate and scripts that a hook names stay writable"),
		scope: yes$1("the sandbox ends at the working directory, not at the declared scope"),
		"read-only": no$1("this is not a read-only run")
	};
}));
//#endregion
//#region src/implementers/claude/denials.ts
/** The CLI wraps some refusals for the model. */
function withoutTags(reason) {
	return reason.replace(/^<tool_use_error>(?:Error: )?/, "").replace(/<\/tool_use_error>$/, "");
}
function shorten(input) {
	if (typeof input === "string") return truncate(input, MAX_TEXT$1);
	if (!isObject(input)) return input ?? null;
	return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, typeof value === "string" ? truncate(value, MAX_TEXT$1) : value]));
}
/**
* Whether a failed tool result means that the CLI refused the call. Newer CLIs say so in `tool_result_meta`; for
* others the words decide. A command that ran and failed with "Permission denied" is no denial: its result begins with
* its exit code.
*/
function isDenial(text, meta) {
	const decision = meta?.["permission_decision"];
	if (isObject(decision) && decision["decision"] === "reject") return true;
	if (isObject(decision) && decision["decision"] === "accept") return false;
	const head = text.slice(0, 400).toLowerCase();
	if (head.includes("exit code ")) return false;
	return head.includes("permission denied") || head.includes("permission to use") && head.includes("denied") || head.includes("haven't granted") || head.includes("requested permissions") || head.includes("requires approval") || head.includes("is disabled for this session");
}
var MAX_TEXT$1, DenialList;
var init_denials = __esmMin((() => {
	init_json();
	init_text();
	MAX_TEXT$1 = 2e3;
	DenialList = class {
		byId = /* @__PURE__ */ new Map();
		nameless = [];
		/** Returns true where this denial was not known before. What is missing in the known one is filled in. */
		add(id, denial) {
			const short = {
				...denial,
				input: shorten(denial.input),
				reason: denial.reason && truncate(withoutTags(denial.reason), MAX_TEXT$1)
			};
			const known = id === null ? void 0 : this.byId.get(id);
			if (known) {
				known.input ??= short.input;
				known.reason ??= short.reason;
				return false;
			}
			if (id === null) this.nameless.push(short);
			else this.byId.set(id, short);
			return true;
		}
		all() {
			return [...this.byId.values(), ...this.nameless];
		}
	};
}));
//#endregion
//#region src/implementers/claude/ending.ts
/** `subtype:"success"` with `is_error:true` is an error, and so is a result that says neither. */
function isErrorResult(record) {
	const subtype = stringOf(record["subtype"]);
	if (record["is_error"] === true || subtype?.startsWith("error")) return true;
	return record["is_error"] !== false && subtype !== "success";
}
/**
* What a terminal record says of its failure. `apiError` is the API error that the CLI wrote last, if the agent has not
* spoken since: it may know the status that the result leaves out.
*/
function failureOf(record, apiError) {
	return {
		subtype: stringOf(record["subtype"]),
		terminalReason: stringOf(record["terminal_reason"]),
		startupReason: stringOf(record["startup_failure_reason"]),
		apiStatus: numberOf(record["api_error_status"]) ?? numberOf(apiError?.["api_error_status"]) ?? statusIn(record),
		apiType: stringOf(record["api_error_type"]) ?? stringOf(apiError?.["api_error_type"]) ?? stringOf(apiError?.["error"]),
		errors: errorsOf(record),
		text: stringOf(record["result"]) ?? ""
	};
}
/** Older versions (2.1.0) have no field for it: their text begins with "API Error: 429 ". */
function statusIn(record) {
	const [, status] = /^API Error: (\d{3})\b/.exec(stringOf(record["result"]) ?? "") ?? [];
	return status === void 0 ? null : Number(status);
}
function errorsOf(record) {
	return arrayOf(record["errors"]).map((error) => stringOf(error) ?? stringOf(objectOf(error)["message"]) ?? "").filter((text) => text.trim() !== "");
}
/** A sentence about the failure, in the CLI's words where it has any. */
function errorText(record, verdict) {
	const own = [...errorsOf(record), stringOf(record["result"]) ?? ""].filter((text) => text.trim() !== "").join("; ");
	if (own !== "") return truncate(own, 4e3);
	const status = numberOf(record["api_error_status"]);
	const known = WITHOUT_WORDS[verdict.reason];
	if (known !== void 0) return status === null ? known : `${known} (status ${status})`;
	const field = stringOf(record["terminal_reason"]) ?? stringOf(record["subtype"]);
	return [
		"claude reported an error",
		field === null || field === "success" || field === "completed" ? null : field.replaceAll("_", " "),
		status === null ? null : `status ${status}`
	].filter(Boolean).join(", ");
}
var WITHOUT_WORDS;
var init_ending = __esmMin((() => {
	init_json();
	init_text();
	WITHOUT_WORDS = {
		"max-turns": "the limit of turns was reached",
		budget: "the budget was used up",
		"rate-limit": "the model service refused the request: too many requests",
		overloaded: "the model service is overloaded",
		"usage-limit": "the usage limit was reached",
		auth: "the model service refused the credentials",
		"context-overflow": "the conversation is longer than the model can read"
	};
}));
//#endregion
//#region src/implementers/claude/reasons.ts
/**
* Why it failed: fields first, words last. `now` (milliseconds since the epoch) turns "resets 3pm" into a time.
* A used-up allowance arrives as a 429 as well, so that one status is told apart by its words.
*/
function classify$1(failure, now) {
	const words = [...failure.errors, failure.text].join("\n").slice(0, 4e3).toLowerCase();
	const reason = reasonOf$1(failure, words);
	const retryAt = reason === "usage-limit" || reason === "rate-limit" ? resetTime(words, now) : null;
	return {
		reason,
		retryable: retryable$1(reason, failure, retryAt),
		retryAt
	};
}
function reasonOf$1(failure, words) {
	return byEnding(failure) ?? byService(failure, words) ?? byWords(words) ?? byRest(failure);
}
/** The CLI's own endings. */
function byEnding({ subtype, terminalReason, startupReason }) {
	if (subtype === "error_max_turns" || terminalReason === "max_turns") return "max-turns";
	if (subtype === "error_max_budget_usd" || terminalReason === "budget_exhausted") return "budget";
	if (terminalReason === "prompt_too_long") return "context-overflow";
	if (startupReason?.startsWith("sandbox_")) return "sandbox-unavailable";
	return null;
}
/** What the model service answered. */
function byService({ apiStatus, apiType }, words) {
	if (apiStatus === null && apiType === null) return null;
	if (apiStatus === 429 || RATE_LIMIT.has(apiType)) return saysUsageLimit(words) ? "usage-limit" : "rate-limit";
	if (apiStatus === 529 || OVERLOADED.has(apiType)) return "overloaded";
	if (apiStatus === 402 || BILLING.has(apiType)) return "usage-limit";
	if (apiStatus === 401 || apiStatus === 403 || AUTH.has(apiType)) return "auth";
	if (apiStatus === 413 || apiType === "request_too_large") return "context-overflow";
	return saysTooLong(words) ? "context-overflow" : "api-error";
}
function byWords(words) {
	if (words.includes("no conversation found")) return "session-not-found";
	if (words.includes("sandbox") && /unavailable|not available|required|missing|cannot|could not/.test(words)) return "sandbox-unavailable";
	if (saysUsageLimit(words)) return "usage-limit";
	if (saysTooLong(words)) return "context-overflow";
	if (words.includes("overloaded")) return "overloaded";
	if (/rate.?limit/.test(words)) return "rate-limit";
	if (/invalid api key|\/login|not logged in|oauth token|authentication/.test(words)) return "auth";
	return null;
}
function byRest({ terminalReason }) {
	return terminalReason === "api_error" ? "api-error" : "other";
}
function saysUsageLimit(words) {
	return /\b(usage|session|weekly|daily|monthly|5-hour|opus|sonnet) limit\b/.test(words) || /\bhit your limit\b|(?<!rate )\blimit reached\b|\bcredit balance is too low\b/.test(words);
}
function saysTooLong(words) {
	return words.includes("prompt is too long") || words.includes("context window");
}
function retryable$1(reason, { apiStatus, apiType }, retryAt) {
	switch (reason) {
		case "rate-limit":
		case "overloaded": return true;
		case "usage-limit": return retryAt === null ? null : true;
		case "api-error":
			if (apiStatus === null) return apiType !== "invalid_request";
			return apiStatus === 408 || apiStatus === 409 || apiStatus >= 500;
		case "other": return null;
		default: return false;
	}
}
/** "…|1700000000", "resets 3pm (Europe/Berlin)", "resets Dec 3, 12:50am (…)": as ISO 8601, or null. */
function resetTime(text, now) {
	const words = text.toLowerCase();
	const epoch = EPOCH.exec(words)?.[1];
	if (epoch !== void 0) return (/* @__PURE__ */ new Date(Number(epoch) * (epoch.length === 10 ? 1e3 : 1))).toISOString();
	const match = CLOCK$1.exec(words);
	if (!match) return null;
	const [, month, day, hours = "", minutes = "0", half, zone = ""] = match;
	const time = {
		hour: hour24(Number(hours), half),
		minute: Number(minutes)
	};
	if (time.hour > 23 || time.minute > 59) return null;
	const date = month === void 0 ? null : {
		month: MONTHS$1.indexOf(month),
		day: Number(day)
	};
	if (date?.month === -1) return null;
	return nextTime(time, date, zone, now);
}
/** 12am is midnight and 12pm is noon. An hour that no clock has becomes 99. */
function hour24(hour, half) {
	if (half === void 0) return hour;
	if (hour < 1 || hour > 12) return 99;
	return hour % 12 + (half === "pm" ? 12 : 0);
}
/** The first such moment after `now` in `zone`; null for a zone that this machine does not know. */
function nextTime(time, date, zone, now) {
	const wall = wallClock(zone);
	if (!wall) return null;
	const today = new Date(wall(now));
	const year = today.getUTCFullYear();
	const days = date ? [Date.UTC(year, date.month, date.day), Date.UTC(year + 1, date.month, date.day)] : [
		0,
		1,
		2
	].map((ahead) => Date.UTC(year, today.getUTCMonth(), today.getUTCDate() + ahead));
	for (const midnight of days) {
		const wanted = midnight + (time.hour * 60 + time.minute) * 6e4;
		const guess = wanted - (wall(wanted) - wanted);
		const moment = guess - (wall(guess) - wanted);
		if (moment > now) return new Date(moment).toISOString();
	}
	return null;
}
/** Moment -> what the zone's wall clock shows then, as if it were UTC. */
function wallClock(zone) {
	try {
		const format = new Intl.DateTimeFormat("en-US", {
			timeZone: zone,
			hourCycle: "h23",
			year: "numeric",
			month: "numeric",
			day: "numeric",
			hour: "numeric",
			minute: "numeric"
		});
		return (moment) => {
			const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
			return Date.UTC(part["year"] ?? 0, (part["month"] ?? 1) - 1, part["day"] ?? 1, part["hour"] ?? 0, part["minute"] ?? 0);
		};
	} catch {
		return null;
	}
}
var RATE_LIMIT, OVERLOADED, BILLING, AUTH, EPOCH, CLOCK$1, MONTHS$1;
var init_reasons$1 = __esmMin((() => {
	RATE_LIMIT = new Set(["rate_limit_error", "rate_limit"]);
	OVERLOADED = new Set(["overloaded_error", "overloaded"]);
	BILLING = new Set(["billing_error"]);
	AUTH = new Set([
		"authentication_error",
		"permission_error",
		"authentication_failed",
		"oauth_org_not_allowed"
	]);
	EPOCH = /\|\s*(\d{10}|\d{13})\b/;
	CLOCK$1 = /resets?\s+(?:at\s+)?(?:([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:,|\s+at)?\s+)?(\d{1,2})(?::(\d{2}))?\s*([ap]m)?\s*\(([a-z_]+(?:\/[a-z0-9_+-]+)*)\)/;
	MONTHS$1 = [
		"jan",
		"feb",
		"mar",
		"apr",
		"may",
		"jun",
		"jul",
		"aug",
		"sep",
		"oct",
		"nov",
		"dec"
	];
}));
//#endregion
//#region src/implementers/claude/usage.ts
function tokensOf$1(usage) {
	return {
		inputTokens: (numberOf(usage["input_tokens"]) ?? 0) + (numberOf(usage["cache_creation_input_tokens"]) ?? 0),
		outputTokens: numberOf(usage["output_tokens"]) ?? 0,
		cachedTokens: numberOf(usage["cache_read_input_tokens"]) ?? 0
	};
}
function same(one, other) {
	return one.inputTokens === other.inputTokens && one.outputTokens === other.outputTokens && one.cachedTokens === other.cachedTokens;
}
function byModel(usage) {
	const models = Object.entries(objectOf(usage)).filter((entry) => isObject(entry[1]));
	return Object.fromEntries(models.map(([model, used]) => [model, {
		usd: numberOf(used["costUSD"]),
		inputTokens: (numberOf(used["inputTokens"]) ?? 0) + (numberOf(used["cacheCreationInputTokens"]) ?? 0),
		outputTokens: numberOf(used["outputTokens"]) ?? 0,
		cachedTokens: numberOf(used["cacheReadInputTokens"]) ?? 0
	}]));
}
/** Several results in one stream: each tells only its own part. */
function addUp(before, models) {
	const total = {
		usd: before?.usd ?? 0,
		inputTokens: before?.inputTokens ?? 0,
		outputTokens: before?.outputTokens ?? 0,
		cachedTokens: before?.cachedTokens ?? 0,
		byModel: { ...before?.byModel }
	};
	for (const [model, used] of Object.entries(models)) {
		const known = total.byModel[model];
		total.byModel[model] = known ? plus(known, used) : used;
		Object.assign(total, plus(total, used));
	}
	return total;
}
function plus(one, other) {
	return {
		usd: add(one.usd, other.usd),
		inputTokens: add(one.inputTokens, other.inputTokens),
		outputTokens: add(one.outputTokens, other.outputTokens),
		cachedTokens: add(one.cachedTokens, other.cachedTokens)
	};
}
function add(one, other) {
	return (one ?? 0) + (other ?? 0);
}
var REMEMBERED_MESSAGES, UsageLedger, UNKNOWN;
var init_usage$1 = __esmMin((() => {
	init_json();
	REMEMBERED_MESSAGES = 256;
	UsageLedger = class {
		recent = /* @__PURE__ */ new Map();
		sum = {
			inputTokens: 0,
			outputTokens: 0,
			cachedTokens: 0
		};
		seen = false;
		/** Of the records that say what was used since the one before; null while none did. */
		since = null;
		last = null;
		/** Notes an assistant message; returns the totals so far, or null where nothing changed. */
		message(id, usage) {
			if (!isObject(usage)) return null;
			const tokens = tokensOf$1(usage);
			const before = this.recent.get(id);
			if (before && same(before, tokens)) return null;
			this.seen = true;
			this.add(tokens, 1);
			if (before) this.add(before, -1);
			this.recent.set(id, tokens);
			if (this.recent.size > REMEMBERED_MESSAGES) {
				const oldest = this.recent.keys().next();
				if (!oldest.done) this.recent.delete(oldest.value);
			}
			return { ...this.sum };
		}
		/**
		* Notes a result. On a resumed session `total_cost_usd` and `modelUsage` count all of its runs;
		* `model_usage_since_last_result`, where there is one, counts this run.
		*/
		result(record) {
			const usage = isObject(record["usage"]) ? tokensOf$1(record["usage"]) : null;
			const since = record["model_usage_since_last_result"];
			this.last = {
				usd: numberOf(record["total_cost_usd"]),
				...usage ?? UNKNOWN,
				byModel: byModel(record["modelUsage"])
			};
			if (isObject(since)) this.since = addUp(this.since, byModel(since));
		}
		cost() {
			if (this.since) return this.since;
			if (this.last) return this.last.inputTokens === null && this.seen ? {
				...this.last,
				...this.sum
			} : this.last;
			return {
				usd: null,
				...this.seen ? this.sum : UNKNOWN,
				byModel: {}
			};
		}
		add(tokens, sign) {
			this.sum.inputTokens += sign * tokens.inputTokens;
			this.sum.outputTokens += sign * tokens.outputTokens;
			this.sum.cachedTokens += sign * tokens.cachedTokens;
		}
	};
	UNKNOWN = {
		inputTokens: null,
		outputTokens: null,
		cachedTokens: null
	};
}));
//#endregion
//#region src/implementers/claude/events.ts
/**
* Reads claude's stream-json. The keys of a record come in any order, the last `result` wins, and only fields of
* top-level records count: what a tool printed and what the agent wrote never decide how the run is classified.
* `now` gives milliseconds since the epoch, for "resets 3pm".
*/
function createClaudeReader(now = Date.now) {
	const reader = new ClaudeReader(now);
	return {
		read: (record) => reader.read(record),
		claim: () => reader.claim()
	};
}
function isSubagent(record) {
	return typeof record["parent_tool_use_id"] === "string";
}
function blocksOf(content) {
	return typeof content === "string" ? [{
		type: "text",
		text: content
	}] : arrayOf(content).filter(isObject);
}
function textOf$3(content) {
	if (typeof content === "string") return content;
	return arrayOf(content).map((block) => stringOf(objectOf(block)["text"])).filter((text) => text !== null).join("\n");
}
function questionOf(input) {
	const { question, questions, plan } = objectOf(input);
	return stringOf(question) ?? stringOf(objectOf(arrayOf(questions)[0])["question"]) ?? stringOf(plan);
}
var SYNTHETIC, ASKING, SUBAGENT_TOOLS, MAX_OPEN_TOOLS$1, QUIET$1, QUIET_SYSTEM, ClaudeReader;
var init_events$1 = __esmMin((() => {
	init_json();
	init_text();
	init_denials();
	init_ending();
	init_reasons$1();
	init_usage$1();
	SYNTHETIC = "<synthetic>";
	ASKING = new Set(["AskUserQuestion", "ExitPlanMode"]);
	SUBAGENT_TOOLS = new Set(["Task", "Agent"]);
	MAX_OPEN_TOOLS$1 = 1024;
	QUIET$1 = new Set([
		"stream_event",
		"keep_alive",
		"tool_progress",
		"tool_use_summary",
		"prompt_suggestion",
		"auth_status"
	]);
	QUIET_SYSTEM = /^(?:task_|background_tasks_|hook_|status$|compact_boundary$|vcs_state_changed$)/;
	ClaudeReader = class {
		now;
		usage = new UsageLedger();
		denials = new DenialList();
		open = /* @__PURE__ */ new Map();
		session = {
			id: null,
			model: null,
			permissionMode: null,
			version: null,
			sandboxEnabled: null
		};
		/** The last terminal record, with what was made of it. */
		ending = null;
		/** The API error that the CLI wrote last, until the agent speaks again. */
		apiError = null;
		limitResetsAt = null;
		lastText = "";
		asked = false;
		retries = 0;
		toolCalls = 0;
		subagents = 0;
		constructor(now) {
			this.now = now;
		}
		read(record) {
			const type = stringOf(record["type"]);
			this.session.id ??= stringOf(record["session_id"]);
			switch (type) {
				case "assistant": return this.assistant(record);
				case "user": return this.user(record);
				case "system": return this.system(record);
				case "result": return this.result(record);
				case "rate_limit_event": return this.rateLimit(record);
				default: return type !== null && QUIET$1.has(type) ? [] : [{
					type: "unknown",
					record: truncate(type ?? "(no type)", 200)
				}];
			}
		}
		claim() {
			const { ending, session } = this;
			const record = ending?.record ?? {};
			const claim = ending === null ? "none" : ending.verdict === null ? "success" : "error";
			const result = stringOf(record["result"]) ?? "";
			const own = result.trim() === "" ? "" : result;
			const reason = this.reason();
			return {
				claim,
				subtype: stringOf(record["subtype"]),
				reason,
				retryable: reason === "needs-input" ? false : ending?.verdict?.retryable ?? null,
				retryAt: ending?.verdict?.retryAt ?? null,
				errorText: ending?.errorText ?? null,
				sessionId: session.id,
				model: session.model,
				permissionMode: session.permissionMode,
				version: session.version,
				sandboxEnabled: session.sandboxEnabled,
				finalText: own === "" ? this.lastText : own,
				finalTextSource: own !== "" ? "result" : this.lastText !== "" ? "assistant" : "none",
				numTurns: numberOf(record["num_turns"]),
				usage: record["usage"] ?? null,
				cost: this.usage.cost(),
				denials: this.denials.all(),
				retries: this.retries,
				toolCalls: this.toolCalls,
				subagents: Math.max(this.subagents, numberOf(objectOf(record["subagent_stats"])["spawned"]) ?? 0),
				..."structured_output" in record ? { structuredOutput: record["structured_output"] } : {}
			};
		}
		/** A question nobody could answer is the reason, unless the run failed for one of its own. */
		reason() {
			const reason = this.ending?.verdict?.reason ?? null;
			return this.asked && (reason === null || reason === "other") ? "needs-input" : reason;
		}
		system(record) {
			const subtype = stringOf(record["subtype"]);
			switch (subtype) {
				case "init": return this.init(record);
				case "api_retry": {
					this.retries += 1;
					const what = [record["error_status"], record["error"]].filter((part) => part !== null && part !== void 0);
					return [{
						type: "notice",
						kind: "retry",
						text: `retry ${`${numberOf(record["attempt"]) ?? this.retries} of ${numberOf(record["max_retries"]) ?? "?"}`}: ${truncate(what.map(String).join(" "), 200)}`
					}];
				}
				case "permission_denied": {
					const reason = stringOf(record["decision_reason"]) ?? stringOf(record["message"]);
					return this.denied(stringOf(record["tool_use_id"]), stringOf(record["tool_name"]), record["tool_input"], reason);
				}
				default:
					if (subtype !== null && QUIET_SYSTEM.test(subtype)) return [];
					return [{
						type: "unknown",
						record: truncate(`system/${subtype ?? "?"}`, 200)
					}];
			}
		}
		init(record) {
			const { session } = this;
			session.id = stringOf(record["session_id"]) ?? session.id;
			session.model = stringOf(record["model"]) ?? session.model;
			session.permissionMode = stringOf(record["permissionMode"]) ?? session.permissionMode;
			session.version = stringOf(record["claude_code_version"]) ?? session.version;
			const sandbox = record["sandbox_enabled"];
			session.sandboxEnabled = typeof sandbox === "boolean" ? sandbox : session.sandboxEnabled;
			if (session.id === null) return [];
			const { id, ...rest } = session;
			return [{
				type: "session",
				sessionId: id,
				...rest
			}];
		}
		assistant(record) {
			const message = objectOf(record["message"]);
			const blocks = blocksOf(message["content"]);
			const subagent = isSubagent(record);
			if (!subagent) this.apiError = message["model"] === SYNTHETIC ? record : null;
			if (message["model"] === SYNTHETIC) {
				const text = blocks.map((block) => stringOf(block["text"]) ?? "").join("");
				return text === "" ? [] : [{
					type: "notice",
					kind: "warning",
					text
				}];
			}
			const events = [];
			for (const block of blocks) events.push(...this.block(block, subagent));
			const id = stringOf(message["id"]);
			const total = id === null ? null : this.usage.message(id, message["usage"]);
			if (total) events.push({
				type: "usage",
				...total
			});
			return events;
		}
		block(block, subagent) {
			switch (block["type"]) {
				case "text": {
					const text = stringOf(block["text"]) ?? "";
					if (text.trim() === "") return [];
					if (!subagent) this.lastText = text;
					return [{
						type: "text",
						text,
						subagent
					}];
				}
				case "thinking": {
					const text = stringOf(block["thinking"]) ?? "";
					return text === "" ? [] : [{
						type: "thinking",
						text,
						subagent
					}];
				}
				case "tool_use": return this.toolUse(block, subagent);
				default: return [];
			}
		}
		toolUse(block, subagent) {
			const id = stringOf(block["id"]) ?? "";
			const tool = stringOf(block["name"]) ?? "?";
			const input = block["input"] ?? null;
			if (this.open.has(id)) return [];
			this.toolCalls += 1;
			if (SUBAGENT_TOOLS.has(tool)) this.subagents += 1;
			if (this.open.size < MAX_OPEN_TOOLS$1) this.open.set(id, {
				tool,
				input,
				subagent
			});
			return [{
				type: "tool-started",
				id,
				tool,
				input,
				subagent
			}];
		}
		user(record) {
			const subagent = isSubagent(record);
			const meta = arrayOf(record["tool_result_meta"]).filter(isObject);
			const events = [];
			for (const block of blocksOf(objectOf(record["message"])["content"])) if (block["type"] === "tool_result") events.push(...this.toolResult(block, meta, subagent));
			return events;
		}
		toolResult(block, meta, subagent) {
			const id = stringOf(block["tool_use_id"]) ?? "";
			const output = textOf$3(block["content"]);
			const ok = block["is_error"] !== true;
			const started = this.open.get(id);
			const finished = {
				type: "tool-finished",
				id,
				ok,
				output,
				subagent
			};
			this.open.delete(id);
			if (ok) return [finished];
			const tool = started?.tool ?? null;
			if (tool !== null && ASKING.has(tool)) return [finished, this.needsInput(tool, started?.input)];
			if (!isDenial(output, meta.find((entry) => entry["id"] === id) ?? null)) return [finished];
			return [finished, ...this.denied(id === "" ? null : id, tool, started?.input, output)];
		}
		denied(id, name, input, reason) {
			const started = id === null ? void 0 : this.open.get(id);
			const denial = {
				tool: name ?? started?.tool ?? "?",
				input: input ?? started?.input ?? null,
				reason
			};
			const isNew = this.denials.add(id, denial);
			if (ASKING.has(denial.tool)) this.asked = true;
			return isNew ? [{
				type: "denied",
				id,
				...denial
			}] : [];
		}
		needsInput(tool, input) {
			this.asked = true;
			return {
				type: "needs-input",
				tool,
				question: questionOf(input)
			};
		}
		rateLimit(record) {
			const info = objectOf(record["rate_limit_info"]);
			const status = stringOf(info["status"]);
			if (status === null || status === "allowed") return [];
			const resets = numberOf(info["resetsAt"]);
			if (status === "rejected" && resets !== null && resets > 1e9 && resets < 1e11) this.limitResetsAt = (/* @__PURE__ */ new Date(resets * 1e3)).toISOString();
			const window = stringOf(info["rateLimitType"]);
			return [{
				type: "notice",
				kind: "limit",
				text: truncate(`usage limit ${status}${window ? ` (${window})` : ""}`, 200)
			}];
		}
		result(record) {
			this.session.id = stringOf(record["session_id"]) ?? this.session.id;
			this.usage.result(record);
			const events = arrayOf(record["permission_denials"]).filter(isObject).flatMap((entry) => this.denied(stringOf(entry["tool_use_id"]), stringOf(entry["tool_name"]), entry["tool_input"], null));
			for (const [id, { tool, input, subagent }] of this.open) {
				if (subagent || !ASKING.has(tool)) continue;
				this.open.delete(id);
				events.push(this.needsInput(tool, input));
			}
			const verdict = isErrorResult(record) ? this.verdict(record) : null;
			this.ending = {
				record,
				verdict,
				errorText: verdict && errorText(record, verdict)
			};
			const text = this.ending.errorText ?? stringOf(record["result"]) ?? "";
			events.push({
				type: "finished",
				claim: verdict ? "error" : "success",
				reason: this.reason(),
				text
			});
			return events;
		}
		verdict(record) {
			const verdict = classify$1(failureOf(record, this.apiError), this.now());
			if (verdict.reason !== "usage-limit" || verdict.retryAt !== null || this.limitResetsAt === null) return verdict;
			return {
				...verdict,
				retryAt: this.limitResetsAt,
				retryable: true
			};
		}
	};
}));
//#endregion
//#region src/implementers/claude/profile.ts
/**
* The text of `profile.json`, the settings that the CLI is started with. It is built anew for every launch, resumed
* ones too, and never read back from the run directory.
* Throws a BatonError where the text would not parse: the CLI ignores such settings in silence and would run bare.
*/
function claudeProfile(request) {
	const text = toJsonFile({
		disableClaudeAiConnectors: true,
		...request.allowHooks ? {} : { disableAllHooks: true },
		...request.profile === "read-only" ? {} : { permissions: permissions(request) },
		...hasSandbox(request) ? { sandbox: sandbox(request) } : {}
	});
	try {
		JSON.parse(text);
	} catch (error) {
		throw new BatonError("profile", `the profile is not valid JSON: ${messageOf$1(error)}`, { cause: error });
	}
	return text;
}
/** Native Windows has no shell sandbox, and asking for one would refuse the start. Read-only runs have no shell. */
function hasSandbox({ profile, platform }) {
	return profile !== "read-only" && platform !== "win32";
}
/**
* On Windows the shell is PowerShell, and `Bash(…)` rules do not speak of it: the same rules follow under its name.
* The first eight stay, so that the list is the same everywhere and a shell that comes back is denied too.
*/
function denyRules(platform) {
	return (platform === "win32" ? ["Bash", "PowerShell"] : ["Bash"]).flatMap((shell) => DENIED_COMMANDS.map((command) => `${shell}(${command})`));
}
/**
* The sandbox binds the shell only. Write and Edit run beside it: in a run directory below the working directory they
* were seen to write, and with permissions skipped in `.git` too. An `ask` rule stops them in every mode, since nobody
* is there to ask; it follows links. `permissions.deny` stays as callers know it.
*/
function permissions({ platform, protect }) {
	const ask = platform === "win32" ? [] : protect.flatMap(askRules);
	return {
		deny: denyRules(platform),
		...ask.length > 0 ? { ask } : {}
	};
}
/** A rule for the path and one for all below it. `//` begins an absolute path. */
function askRules(path) {
	const pattern = path.replace(/[\\*?[\]{}!#() ]/g, "?");
	return [`Edit(/${pattern})`, `Edit(/${pattern}/**)`];
}
function sandbox({ protect, allowWrite, allowDomains }) {
	return {
		enabled: true,
		failIfUnavailable: true,
		autoAllowBashIfSandboxed: true,
		allowUnsandboxedCommands: false,
		excludedCommands: [],
		filesystem: {
			disabled: false,
			denyWrite: [...protect],
			allowWrite: [...allowWrite]
		},
		network: { allowedDomains: [...allowDomains] }
	};
}
var DENIED_COMMANDS;
var init_profile = __esmMin((() => {
	init_errors();
	init_json();
	DENIED_COMMANDS = [
		"git commit *",
		"git * commit *",
		"git * commit",
		"git push *",
		"git * push *",
		"git * push",
		"claude *",
		"*claude-delegate*"
	];
}));
//#endregion
//#region src/implementers/claude/plan.ts
/** How a request becomes a command line. Pure: it reads and writes nothing. */
function planClaude(request) {
	const toolSurface = surface(request);
	const permissionMode = modeOf(request);
	const shellSandbox = sandboxOf$1(request);
	return {
		file: request.binary,
		args: [
			"-p",
			"--output-format",
			"stream-json",
			"--verbose",
			"--tools",
			toolSurface.join(","),
			"--strict-mcp-config",
			"--disallowedTools",
			"mcp__*",
			"--disable-slash-commands",
			"--settings",
			artifactPath(request.runDir, "profile"),
			...request.profile === "bypass" ? ["--dangerously-skip-permissions"] : ["--permission-mode", permissionMode],
			...toolSurface.includes("PowerShell") ? ["--allowedTools", "PowerShell"] : [],
			...resumption(request),
			...dials(request),
			...outputSchema(request)
		],
		env: childEnvironment$2(request.env, request.platform),
		cwd: request.cwd,
		artifacts: [{
			name: "profile",
			content: claudeProfile(request)
		}],
		toolSurface,
		permissionMode,
		shellSandbox,
		sandboxRequired: shellSandbox === "strict"
	};
}
/** Plan mode tells the model to write a plan instead of the answer. The tools alone make a text run read-only. */
function modeOf({ profile, text }) {
	return text === null ? PERMISSION_MODE[profile] : "default";
}
function surface({ profile, platform, text }) {
	if (text?.tools === "none") return [];
	if (profile === "read-only") return [
		"Read",
		"Glob",
		"Grep"
	];
	return [
		"Read",
		"Glob",
		"Grep",
		"Edit",
		"Write",
		platform === "win32" ? "PowerShell" : "Bash"
	];
}
function sandboxOf$1({ profile, platform }) {
	if (profile === "read-only") return "not-applicable";
	return platform === "win32" ? "unsupported-on-native-windows" : "strict";
}
function outputSchema({ text }) {
	return text === null || text.outputSchema === null ? [] : ["--json-schema", text.outputSchema];
}
function resumption({ resume }) {
	if (resume === null) return [];
	return resume.kind === "last" ? ["--continue"] : ["--resume", resume.id];
}
function dials({ model, effort, maxTurns, maxBudgetUsd, autocompact }) {
	return [
		...model === null ? [] : ["--model", model],
		...effort === null ? [] : ["--effort", effort],
		...maxTurns === null ? [] : ["--max-turns", String(maxTurns)],
		...maxBudgetUsd === null ? [] : ["--max-budget-usd", maxBudgetUsd],
		...autocompact === null ? [] : ["--autocompact", autocompact]
	];
}
/**
* The environment of the CLI. `CLAUDECODE` goes: with it a nested CLI refuses to start. Every other `CLAUDE_CODE_*`
* stays, since credentials and providers are among them. The updater is off, unless the user decided otherwise: it has
* been seen to replace the binary between two runs.
*/
function childEnvironment$2(env, platform) {
	const cleaned = withoutVariables(env, ["CLAUDECODE", ...GIT_LOCAL_VARIABLES], platform);
	if (readVariable(cleaned, "DISABLE_AUTOUPDATER", platform) === void 0) cleaned["DISABLE_AUTOUPDATER"] = "1";
	return cleaned;
}
var PERMISSION_MODE;
var init_plan$1 = __esmMin((() => {
	init_environment();
	init_layout();
	init_profile();
	PERMISSION_MODE = {
		write: "acceptEdits",
		"read-only": "plan",
		bypass: "bypassPermissions"
	};
}));
//#endregion
//#region src/process/which.ts
/**
* The path of an executable on the PATH of `env`, or null. Nothing is remembered: an update may replace the file
* between two runs. Only absolute folders of PATH count: a relative or empty one would let a file of the project pass
* for the agent CLI.
*/
function which(name, env, options = {}) {
	const platform = options.platform ?? process.platform;
	const isExecutable = options.isExecutable ?? isExecutableFile;
	return placesOf(name, env, platform, options.cwd).find((path) => isExecutable(path)) ?? null;
}
/** Every path that the name may mean, in the order of PATH, whatever lies there. */
function placesOf(name, env, platform, cwd) {
	const path = platform === "win32" ? win32 : posix;
	const names = platform === "win32" ? withExtensions(name, env) : [name];
	if (name.includes("/") || platform === "win32" && /[\\:]/.test(name)) {
		const folder = cwd ?? (path.isAbsolute(name) ? "" : process.cwd());
		return names.map((one) => path.resolve(folder, one));
	}
	return (readVariable(env, "PATH", platform) ?? "").split(path.delimiter).map((folder) => platform === "win32" ? folder.replace(/^"(.*)"$/, "$1") : folder).filter((folder) => path.isAbsolute(folder)).flatMap((folder) => names.map((one) => path.join(folder, one)));
}
/** Windows runs a file by its extension. A name without one is tried with each that PATHEXT lists. */
function withExtensions(name, env) {
	const extensions = (readVariable(env, "PATHEXT", "win32") || ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";");
	const own = win32.extname(name).toLowerCase();
	return own !== "" && extensions.includes(own) ? [name] : extensions.map((extension) => `${name}${extension}`);
}
function isExecutableFile(path) {
	try {
		accessSync(path, constants$1.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}
var init_which = __esmMin((() => {
	init_environment();
}));
//#endregion
//#region src/process/not-found.ts
/** What lies on PATH under a name for which `which` found nothing to run: the first that tells something. */
function whyNotFound(name, env, platform = process.platform) {
	for (const path of placesOf(name, env, platform)) {
		const target = linkTarget(path);
		if (target !== null && !pointsSomewhere(path)) return {
			state: "broken-link",
			path,
			target
		};
		if (isFile(path)) return {
			state: "not-executable",
			path
		};
	}
	return { state: "not-installed" };
}
/** Null for what is no link, or lies where this user may not look. */
function linkTarget(path) {
	try {
		return readlinkSync(path);
	} catch {
		return null;
	}
}
function isFile(path) {
	try {
		return statSync(path).isFile();
	} catch {
		return false;
	}
}
/**
* The program that a script's `#!` line asks for, where that is not there: the system then says of the script itself
* that it does not exist. Null for every other file. `/usr/bin/env node` fails on its own and says so.
*/
function missingInterpreter(path) {
	const interpreter = /^#!\s*(\S+)/.exec(headOf$1(path).toString("utf8"))?.[1];
	if (interpreter === void 0 || !isAbsolute(interpreter)) return null;
	return pointsSomewhere(interpreter) ? null : interpreter;
}
/** The first bytes of a file: enough to tell what it is. None where it cannot be read. */
function headOf$1(path) {
	const head = Buffer.alloc(256);
	try {
		const fd = openSync(path, "r");
		try {
			return head.subarray(0, readSync(fd, head, 0, head.length, 0));
		} finally {
			closeSync(fd);
		}
	} catch {
		return Buffer.alloc(0);
	}
}
function pointsSomewhere(path) {
	try {
		return statSync(path, { throwIfNoEntry: false }) !== void 0;
	} catch {
		return false;
	}
}
var init_not_found = __esmMin((() => {
	init_which();
}));
//#endregion
//#region src/implementers/ask-version.ts
/** Finds a CLI on the PATH of `env` and asks it for its version: the preflight of a run. */
async function askVersion(name, request) {
	const first = await askOnce(name, request);
	if (first !== "vanished") return first;
	const second = await askOnce(name, request);
	return second === "vanished" ? missing$2(`${name} vanishes as soon as it is found: is it being updated?`) : second;
}
async function askOnce(name, { env, cwd, platform, limitMs, signal }) {
	const binary = which(name, env, { platform });
	if (binary === null) return missing$2(lying(name, env, platform));
	const answer = await runCommand({
		file: binary,
		args: ["--version"],
		cwd,
		env,
		timeoutMs: limitMs,
		maxBytes: 1024 ** 2,
		signal
	});
	if (answer.end === "timeout") return {
		answer: "hung",
		binary,
		version: "unknown"
	};
	if (answer.failure?.code === "ENOENT") {
		const interpreter = missingInterpreter(binary);
		return interpreter === null ? "vanished" : missing$2(`${binary} is a script for ${interpreter}, which is not there`);
	}
	const text = truncate(answer.stdout.toString("utf8").trim(), 200);
	if (answer.end !== "exited" || answer.code !== 0 || text === "") return {
		answer: "abnormal",
		binary,
		version: "unknown"
	};
	return {
		answer: "ok",
		binary,
		version: text
	};
}
function missing$2(why) {
	return {
		answer: "missing",
		binary: null,
		version: null,
		...why === void 0 ? {} : { why }
	};
}
/** What is on PATH under that name all the same. */
function lying(name, env, platform) {
	const found = whyNotFound(name, env, platform);
	if (found.state === "broken-link") return `${found.path} is a link to ${found.target}, which is not there`;
	return found.state === "not-executable" ? `${found.path} may not be executed` : void 0;
}
var init_ask_version = __esmMin((() => {
	init_command();
	init_text();
	init_not_found();
	init_which();
}));
//#endregion
//#region src/implementers/claude/settings.ts
/**
* What the settings of the user, the project and the administrator do to the sandbox of a run. The CLI merges lists
* from all of them, so that the profile's own empty `excludedCommands` takes nothing away. A few small files are read;
* a missing one is nothing, and none of them can fail the run.
*/
function settingsWarnings(request) {
	return settingsFiles(request).flatMap(inspect);
}
/** The settings files that may be there, the weaker before the stronger: the user's, the project's, an administrator's. */
function settingsFiles(request) {
	return [...ownFiles$2(request), ...managedFiles(request.managedFolder)];
}
function managedFolder(platform) {
	if (platform === "darwin") return "/Library/Application Support/ClaudeCode";
	return platform === "win32" ? "C:\\Program Files\\ClaudeCode" : "/etc/claude-code";
}
/** The CLI reads a project's settings from the working directory only, not from the top of the repository. */
function ownFiles$2({ env, cwd, platform }) {
	const home = readVariable(env, platform === "win32" ? "USERPROFILE" : "HOME", platform) || homedir();
	const user = readVariable(env, "CLAUDE_CONFIG_DIR", platform) || join(home, ".claude");
	const project = join(cwd, ".claude");
	return [
		{
			path: join(user, "settings.json"),
			source: "user"
		},
		{
			path: join(project, "settings.json"),
			source: "project"
		},
		{
			path: join(project, "settings.local.json"),
			source: "project"
		}
	];
}
function managedFiles(folder) {
	const dropIns = join(folder, "managed-settings.d");
	const names = namesIn$2(dropIns);
	return [join(folder, "managed-settings.json"), ...names.filter((name) => name.endsWith(".json")).map((name) => join(dropIns, name))].map((path) => ({
		path,
		source: "managed"
	}));
}
function namesIn$2(folder) {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
/** Synchronous, since a start of Node's thread pool costs more than these few files; a FIFO must not hold it for ever. */
function readFile$1(path) {
	const fd = openSync(path, constants$1.O_RDONLY | (constants$1.O_NONBLOCK ?? 0));
	try {
		if (!fstatSync(fd).isFile()) throw new Error("it is not a file");
		return readFileSync(fd, "utf8");
	} finally {
		closeSync(fd);
	}
}
function inspect({ path, source }) {
	let text;
	try {
		text = readFile$1(path);
	} catch (error) {
		if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return [];
		return [{
			text: `${path} cannot be read (${messageOf$1(error)}): what it does to the sandbox is unknown`,
			gap: true
		}];
	}
	let settings;
	try {
		settings = JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch (error) {
		return [{
			text: `${path} is not valid JSON (${truncate(messageOf$1(error), 200)}): claude ignores the whole file in silence`,
			gap: false
		}];
	}
	if (!isObject(settings)) return [];
	return [...undoings(settings, source).map((what) => ({
		text: `${path} ${what}`,
		gap: true
	})), ...widenings(settings).map((what) => ({
		text: `${path} ${what}`,
		gap: false
	}))];
}
/** Each way in which these settings take something back that the sandbox of a run promises. */
function undoings(settings, source) {
	const sandbox = objectOf(settings["sandbox"]);
	const excluded = stringsOf(sandbox["excludedCommands"]);
	const managed = source === "managed";
	return [
		[excluded.length > 0, `has sandbox.excludedCommands (${list(excluded)}): such commands run outside the sandbox, where they can commit`],
		[managed && sandbox["enabled"] === false, "has sandbox.enabled: false: an administrator turned the sandbox off"],
		[managed && objectOf(sandbox["filesystem"])["disabled"] === true, "has sandbox.filesystem.disabled: an administrator lets sandboxed commands write everywhere"],
		[sandbox["enableWeakerNestedSandbox"] === true, "has sandbox.enableWeakerNestedSandbox: the sandbox shares more with the machine"],
		[objectOf(sandbox["network"])["allowAllUnixSockets"] === true, "has sandbox.network.allowAllUnixSockets: a command can ask a local service to write for it"],
		...HELPERS.map((name) => [source === "project" && typeof settings[name] === "string", `has ${name}: it runs outside the sandbox, and the implementer may edit a script that it names`])
	].filter(([applies]) => applies).map(([, what]) => what);
}
/** What lets a run write outside its working directory. Git directories and the run directory stay closed. */
function widenings(settings) {
	const permissions = objectOf(settings["permissions"]);
	const writable = [
		...stringsOf(objectOf(objectOf(settings["sandbox"])["filesystem"])["allowWrite"]),
		...stringsOf(permissions["additionalDirectories"]),
		...stringsOf(permissions["allow"]).filter((rule) => /^(?:Edit|Write|MultiEdit|NotebookEdit)\b/.test(rule))
	];
	return writable.length === 0 ? [] : [`lets runs write outside their working directory: ${list(writable)}`];
}
function stringsOf(value) {
	return arrayOf(value).filter((entry) => typeof entry === "string");
}
function list(entries) {
	return truncate(entries.join(", "), 200);
}
var HELPERS;
var init_settings$1 = __esmMin((() => {
	init_environment();
	init_errors();
	init_json();
	init_text();
	HELPERS = [
		"apiKeyHelper",
		"awsAuthRefresh",
		"awsCredentialExport",
		"gcpAuthRefresh",
		"otelHeadersHelper"
	];
}));
//#endregion
//#region src/implementers/claude/probe.ts
/** Finds the CLI on the child's own PATH, asks for its version, and looks at what could undo the profile. */
async function probeClaude(request) {
	const { env, cwd, platform, profile } = request;
	const found = askVersion("claude", {
		...request,
		env: childEnvironment$2(env, platform)
	});
	const warnings = profile === "read-only" ? [] : settingsWarnings({
		env,
		cwd,
		platform,
		managedFolder: managedFolder(platform)
	});
	return {
		...await found,
		warnings
	};
}
var init_probe$1 = __esmMin((() => {
	init_ask_version();
	init_plan$1();
	init_settings$1();
}));
//#endregion
//#region src/implementers/claude/refuse-root.ts
/**
* The CLI refuses to skip permissions as root, in one line on stderr after the start. `IS_SANDBOX` tells it that root is
* harmless here: for the user to say, never for us.
*/
function refuseRoot({ profile, env, platform, uid }) {
	if (profile !== "bypass" || uid !== 0 || platform === "win32") return null;
	if (env["IS_SANDBOX"] === "1" || env["CLAUDE_CODE_BUBBLEWRAP"]) return null;
	return {
		message: "--dangerously-skip-permissions: claude refuses this as root (uid 0)",
		hint: "run as another user; or, in a throw-away container, set IS_SANDBOX=1 yourself to tell claude so"
	};
}
var init_refuse_root = __esmMin((() => {}));
//#endregion
//#region src/implementers/empty-folder.ts
/**
* Asks a CLI something in an empty folder of its own, which is removed afterwards: no settings of a project are read
* there, and what takes a question for something else does it where it harms nothing. Rejects with a BatonError
* `temp-folder` where none can be made.
*/
async function inEmptyFolder(use) {
	const folder = await make();
	try {
		return await use(folder);
	} finally {
		await rm(folder, {
			recursive: true,
			force: true
		});
	}
}
async function make() {
	try {
		return await mkdtemp(join(tmpdir(), EMPTY_FOLDER));
	} catch (error) {
		throw new BatonError("temp-folder", `no temporary folder can be made in ${tmpdir()}: ${messageOf$1(error)}`, {
			hint: "set TMPDIR to a folder that can be written",
			cause: error
		});
	}
}
var EMPTY_FOLDER;
var init_empty_folder = __esmMin((() => {
	init_errors();
	EMPTY_FOLDER = "baton-probe-";
}));
//#endregion
//#region src/implementers/executable.ts
/**
* Looks for a CLI on PATH and asks it for its version. `own` is the form of a line that is its version; without it any
* line that looks like one counts. A file that is just being replaced is looked at again, at least
* once. Never throws.
*/
async function inspectExecutable(name, request, own) {
	const end = systemClock.monotonic() + Math.min(request.limitMs, UPDATE_MS);
	let seen = null;
	for (;;) {
		const path = which(name, request.env, { platform: request.platform });
		const found = path !== null ? await start(path, request, own) : seen !== null ? {
			state: "updating",
			path: seen,
			why: "it was there a moment ago, and is gone now"
		} : whyNotFound(name, request.env, request.platform);
		const last = request.signal.aborted || seen !== null && systemClock.monotonic() >= end;
		if (found.state !== "updating" || last) return found;
		seen = found.path;
		await setTimeout$1(PAUSE_MS$1);
	}
}
async function start(path, request, own) {
	const answer = await runCommand({
		file: path,
		args: ["--version"],
		cwd: request.cwd,
		env: request.env,
		timeoutMs: request.limitMs,
		maxBytes: MAX_BYTES$3,
		signal: request.signal
	});
	if (answer.end === "timeout") return {
		state: "hung",
		path,
		limitMs: request.limitMs
	};
	if (answer.failure) return notStarted(path, answer.failure);
	const version = versionIn(answer.stdout.toString("utf8"), own);
	if (answer.end === "exited" && answer.code === 0 && version !== null) return {
		state: "ready",
		path,
		...version
	};
	const damage = damageOf(path, answer);
	if (damage !== null) return {
		state: "updating",
		path,
		why: damage
	};
	if (answer.end === "exited" && answer.code === 0) return {
		state: "no-version",
		path,
		said: saidBy(answer)
	};
	return {
		state: "failing",
		path,
		why: endingOf(answer)
	};
}
function notStarted(path, failure) {
	if (failure.code === "ENOENT") {
		const interpreter = missingInterpreter(path);
		return interpreter === null ? {
			state: "updating",
			path,
			why: "it vanished between being found and being started"
		} : {
			state: "no-interpreter",
			path,
			interpreter
		};
	}
	if (failure.code === "ETXTBSY") return {
		state: "updating",
		path,
		why: "it is just being written"
	};
	if (failure.code === "ENOEXEC") return {
		state: "updating",
		path,
		why: "it is no program that this machine can run"
	};
	return {
		state: "failing",
		path,
		why: failure.message
	};
}
/**
* What is wrong with the file itself, after it gave no good answer. The system hands what it cannot run to `/bin/sh`,
* so that half a program, or an empty one, ends like a script that fails, or does nothing.
*/
function damageOf(path, { end, signal, stderr }) {
	const head = headOf$1(path);
	if (head.length === 0) return "it is an empty file";
	if (end === "signalled" && (signal === "SIGBUS" || signal === "SIGSEGV")) return `it crashed at the start (${signal}), as half a program does`;
	return head.includes(0) && stderr.startsWith(`${path}:`) ? "it is no program that this machine can run" : null;
}
/** The line that is the version, and whether there were others. The last one: what a shim has to say comes before. */
function versionIn(text, own) {
	const lines = lastLines(text, 1e3).map((line) => truncate(oneLine(line), 200));
	const version = lines.findLast((line) => (own ?? VERSION$2).test(line)) ?? lines.findLast((line) => VERSION$2.test(line));
	return version === void 0 ? null : {
		version,
		banner: lines.length > 1
	};
}
function saidBy({ stdout, stderr }) {
	const [line = ""] = lastLines(`${stderr}\n${stdout.toString("utf8")}`, 1);
	return truncate(oneLine(line), 200);
}
function endingOf(answer) {
	const said = saidBy(answer);
	const how = answer.end === "exited" ? `it exits ${answer.code}` : answer.end === "signalled" ? `it is ended by ${answer.signal}` : answer.end === "overflow" ? "it prints without end" : "it was stopped";
	return said === "" ? how : `${how}: ${said}`;
}
var UPDATE_MS, PAUSE_MS$1, MAX_BYTES$3, VERSION$2;
var init_executable = __esmMin((() => {
	init_clock();
	init_command();
	init_text();
	init_not_found();
	init_which();
	UPDATE_MS = 1e3;
	PAUSE_MS$1 = 100;
	MAX_BYTES$3 = 1024 ** 2;
	VERSION$2 = /^(?:[A-Za-z][\w./@-]* ){0,3}v?\d+(?:\.\d+)+[\w.+-]*(?: .{0,60})?$/;
}));
//#endregion
//#region src/core/shell-word.ts
/** A path or a word as a POSIX shell takes it, for commands that a person copies: quoted only where it has to be. */
function shellWord(text) {
	return /^[\w./~@+:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
var init_shell_word = __esmMin((() => {}));
//#endregion
//#region src/implementers/executable-check.ts
/** What became of looking for a CLI, in words, with the way out. */
function executableCheck(executable, { name, install }) {
	const again = install ?? `install ${name} again, as its documentation says`;
	const problem = (text, remedy) => ({
		id: "executable",
		state: "problem",
		text: `${name} ${text}`,
		remedy
	});
	switch (executable.state) {
		case "ready": {
			const { version, path, banner } = executable;
			const text = `${name}: ${version}, ${path}`;
			return banner ? {
				id: "executable",
				state: "ok",
				text: `${text}; it prints more than its version: a wrapper, or a notice`
			} : {
				id: "executable",
				state: "ok",
				text
			};
		}
		case "no-version": return {
			id: "executable",
			state: "warning",
			text: `${name} (${executable.path}) answers, but its version cannot be read: ${executable.said === "" ? "it prints nothing" : `it says ${JSON.stringify(executable.said)}`}`,
			remedy: `${shellWord(executable.path)} --version`
		};
		case "not-installed": return problem("is not installed: no folder of PATH has it", install ?? `install ${name}, or put its folder on PATH`);
		case "broken-link": return problem(`is a broken link: ${executable.path} points to ${executable.target}, which is not there`, again);
		case "not-executable": return problem(`is there but may not be executed: ${executable.path}`, `chmod +x ${shellWord(executable.path)}`);
		case "no-interpreter": return problem(`is a script whose interpreter is missing: ${executable.path} needs ${executable.interpreter}`, `install ${executable.interpreter}, or the CLI again: ${again}`);
		case "updating": return problem(`is being updated, or an update was cut short: ${executable.path}: ${executable.why}`, `wait a moment and try again; if nothing is installing it just now: ${again}`);
		case "failing": return problem(`does not work: ${executable.path} --version: ${executable.why}`, again);
		case "hung": return problem(`hangs: ${executable.path} --version gave no answer within ${executable.limitMs / 1e3} s`, `see what it waits for: ${shellWord(executable.path)} --version`);
	}
}
var init_executable_check = __esmMin((() => {
	init_shell_word();
}));
//#endregion
//#region src/implementers/inspection.ts
function listedModels(names) {
	const values = [...new Set(names)];
	return {
		status: "reported",
		values: values.slice(0, MOST_MODELS),
		truncated: values.length > MOST_MODELS
	};
}
var NO_MODELS, FAILED_MODELS, MOST_MODELS;
var init_inspection = __esmMin((() => {
	NO_MODELS = {
		status: "unsupported",
		values: [],
		truncated: false
	};
	FAILED_MODELS = {
		status: "failed",
		values: [],
		truncated: false
	};
	MOST_MODELS = 200;
}));
//#endregion
//#region src/implementers/claude/sandbox-parts.ts
/**
* What the CLI's sandbox is made of: without it a write run ends at its first moment. On Linux that is bubblewrap, socat
* and the kernel's leave to use them; macOS brings its own, and Windows has none.
*/
async function sandboxParts(request) {
	if (request.platform !== "linux") return [];
	const bwrap = which("bwrap", request.env, { platform: request.platform });
	return [bwrap === null ? missing$1("bubblewrap", "its sandbox is made with it", request.env) : await trial(bwrap, request), which("socat", request.env, { platform: request.platform }) === null ? missing$1("socat", "its sandbox reaches the network through it", request.env) : {
		id: "socat",
		state: "ok",
		text: "socat is installed"
	}];
}
function missing$1(name, why, env) {
	return {
		id: name,
		state: "problem",
		text: `${name} is not installed: ${why}, and a write run does not start without`,
		remedy: installCommand(name, env)
	};
}
/** The smallest sandbox there is. Where even that fails, the kernel or the container forbids all of them. */
async function trial(bwrap, { env, limitMs, signal }) {
	const answer = await runCommand({
		file: bwrap,
		args: [
			"--ro-bind",
			"/",
			"/",
			"--unshare-pid",
			"--unshare-net",
			"true"
		],
		cwd: "/",
		env,
		timeoutMs: limitMs,
		maxBytes: 64 * 1024,
		signal
	});
	const id = "bubblewrap";
	if (answer.end === "exited" && answer.code === 0) return {
		id,
		state: "ok",
		text: "bubblewrap works: claude can make its sandbox"
	};
	const [said = `it ends with ${answer.code ?? answer.end}`] = lastLines(answer.stderr, 1);
	return {
		id,
		state: "problem",
		text: `bubblewrap is installed but can make no sandbox: ${truncate(oneLine(said), 200)}`,
		remedy: openNamespaces((path) => readFileSync(path, "utf8"))
	};
}
/** How to let users make namespaces again: the switch of the kernel that is off. `read` reads a file of `/proc/sys`. */
function openNamespaces(read) {
	const off = SWITCHES.find(({ name, closed }) => {
		try {
			return read(`/proc/sys/${name.replaceAll(".", "/")}`).trim() === closed;
		} catch {
			return false;
		}
	});
	return off ? `sudo sysctl -w ${off.name}=${off.open}` : "in a container, start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined; elsewhere let unprivileged users make namespaces";
}
/** The command that installs a package here. It is `bubblewrap` and `socat` everywhere. */
function installCommand(name, env) {
	const installer = INSTALLERS.find(([program]) => which(program, env) !== null)?.[1];
	return installer === void 0 ? `install the package ${name}` : `sudo ${installer} ${name}`;
}
var SWITCHES, INSTALLERS;
var init_sandbox_parts = __esmMin((() => {
	init_command();
	init_text();
	init_which();
	SWITCHES = [
		{
			name: "kernel.apparmor_restrict_unprivileged_userns",
			closed: "1",
			open: "0"
		},
		{
			name: "kernel.unprivileged_userns_clone",
			closed: "0",
			open: "1"
		},
		{
			name: "user.max_user_namespaces",
			closed: "0",
			open: "15000"
		}
	];
	INSTALLERS = [
		["apt-get", "apt-get install -y"],
		["dnf", "dnf install -y"],
		["pacman", "pacman -S --noconfirm"],
		["zypper", "zypper install -y"],
		["apk", "apk add"]
	];
}));
//#endregion
//#region src/implementers/claude/inspect.ts
var inspect_exports$1 = /* @__PURE__ */ __exportAll({
	CLAUDE_NAMES: () => CLAUDE_NAMES,
	inspectClaude: () => inspectClaude,
	loggedIn: () => loggedIn$1
});
/** Looks at the installed CLI as a run would find it. It has no command that lists models. */
async function inspectClaude(request) {
	const env = {
		...childEnvironment$2(request.env, request.platform),
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
	};
	const asked = {
		...request,
		env
	};
	const executable = await inspectExecutable("claude", asked, VERSION$1);
	const checks = [executableCheck(executable, CLAUDE_NAMES)];
	if (executable.state !== "ready" && executable.state !== "no-version") return {
		executable,
		authenticated: null,
		models: NO_MODELS,
		checks
	};
	const [authenticated, parts] = await Promise.all([signedIn$1(executable.path, asked), sandboxParts(asked)]);
	checks.push(signInCheck$1(authenticated), ...parts, ...settingsChecks$1(request));
	return {
		executable,
		authenticated,
		models: NO_MODELS,
		checks
	};
}
/**
* True, false, or null where it does not say. It answers in JSON, also with a non-zero exit, and counts whatever a run
* would use: an account, `ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN`, `CLAUDE_CODE_OAUTH_TOKEN`, an `apiKeyHelper`,
* Bedrock and Vertex. The flag keeps a version without this command from taking the words for a prompt.
*/
async function signedIn$1(binary, request) {
	const answer = await inEmptyFolder((cwd) => runCommand({
		file: binary,
		args: [
			"auth",
			"status",
			"--json"
		],
		cwd,
		env: request.env,
		timeoutMs: request.limitMs,
		maxBytes: 1024 ** 2,
		signal: request.signal
	}));
	return answer.end === "exited" ? loggedIn$1(answer.stdout.toString("utf8")) : null;
}
/** Reads the answer of `auth status`, from around which a wrapper may print lines of its own. */
function loggedIn$1(text) {
	try {
		const status = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
		const value = isObject(status) ? status["loggedIn"] : void 0;
		return typeof value === "boolean" ? value : null;
	} catch {
		return null;
	}
}
function signInCheck$1(authenticated) {
	const id = "signed-in";
	if (authenticated) return {
		id,
		state: "ok",
		text: "claude is signed in"
	};
	const remedy = "claude auth login";
	return authenticated === false ? {
		id,
		state: "problem",
		text: "claude is not signed in, and no API key is set",
		remedy
	} : {
		id,
		state: "warning",
		text: "whether claude is signed in is not known: it does not say",
		remedy
	};
}
function settingsChecks$1({ env, cwd, platform }) {
	return settingsWarnings({
		env,
		cwd,
		platform,
		managedFolder: managedFolder(platform)
	}).map(({ text }) => ({
		id: "settings",
		state: "warning",
		text,
		remedy: "take that out of the file, or know that such a run is less closed"
	}));
}
var CLAUDE_NAMES, VERSION$1;
var init_inspect$1 = __esmMin((() => {
	init_command();
	init_json();
	init_empty_folder();
	init_executable();
	init_executable_check();
	init_inspection();
	init_plan$1();
	init_sandbox_parts();
	init_settings$1();
	CLAUDE_NAMES = {
		name: "claude",
		install: "npm install -g @anthropic-ai/claude-code"
	};
	VERSION$1 = /^\d+\.\d+\.\d+\S* \(Claude Code\)$/;
}));
//#endregion
//#region src/implementers/claude/claude.ts
var claude;
var init_claude = __esmMin((() => {
	init_containment$1();
	init_events$1();
	init_plan$1();
	init_probe$1();
	init_refuse_root();
	claude = {
		id: "claude",
		unavailable: "claude_unavailable",
		capabilities: {
			resume: true,
			resumeLast: true,
			readOnly: true,
			model: true,
			effort: [
				"low",
				"medium",
				"high",
				"xhigh",
				"max",
				"ultracode"
			],
			maxTurns: true,
			maxBudgetUsd: true,
			autocompact: true,
			bypass: true,
			sandboxModes: false,
			ephemeral: false,
			cleanEnv: false,
			skipGitRepoCheck: false,
			allowDomains: true,
			resumeUnrecorded: true,
			keepsProfile: false,
			ownTemp: false
		},
		refuse: refuseRoot,
		probe: probeClaude,
		inspect: async (request) => (await Promise.resolve().then(() => (init_inspect$1(), inspect_exports$1))).inspectClaude(request),
		plan: planClaude,
		containment: claudeContainment,
		reader: () => createClaudeReader(),
		ownFields: ({ version, claim, plan, resumedFrom }) => ({
			tool: "claude",
			claudeVersion: version,
			permissionMode: claim.permissionMode ?? plan.permissionMode,
			sessionId: claim.sessionId ?? resumedFrom,
			resultSubtype: claim.subtype
		})
	};
}));
//#endregion
//#region src/implementers/codex/containment.ts
/**
* What a run of this profile can still write. Each line was tried with the real CLI on Linux; macOS has the same
* settings and another kernel mechanism.
*/
function codexContainment(request) {
	const wall = wallFor(request);
	return { lines: ALL.map((kind) => ({
		kind,
		...wall(kind)
	})) };
}
function wallFor({ profile, platform, allowHooks, allowWrite }) {
	if (platform === "win32") return () => yes("the sandbox of codex on native Windows was not tried");
	if (profile === "bypass") return () => yes("danger-full-access: commands run as the user, with no sandbox");
	if (allowHooks) return () => yes("hooks were allowed: a trusted one runs outside the sandbox, also where the implementer rewrote its script");
	if (profile === "read-only") return () => no("every command runs in a sandbox in which nothing can be written");
	return (kind) => writeWall(kind, allowWrite);
}
function writeWall(kind, allowWrite) {
	switch (kind) {
		case "agent-settings": return yes("only .codex and .agents at the top of the working directory are guarded: .claude, .delegate and scripts that a hook names stay writable");
		case "scope": return yes("the sandbox ends at the working directory, not at the declared scope");
		case "read-only": return no("this is not a read-only run");
		case "outside": return allowWrite.length > 0 ? yes(`widened on request: ${allowWrite.join(", ")}`) : no("commands write in the working directory and in a temp folder of the run’s own; shared temp folders are closed");
		default: return no("the git directory is read-only at the top of the working directory, from a subdirectory, and from a linked worktree; so is that of each nested repository that was there");
	}
}
var ALL, no, yes;
var init_containment = __esmMin((() => {
	ALL = [
		...[
			"commit",
			"ref",
			"stash",
			"index",
			"hooks",
			"git-config"
		],
		"agent-settings",
		"scope",
		"read-only",
		"outside"
	];
	no = (why) => ({
		possible: false,
		why
	});
	yes = (why) => ({
		possible: true,
		why
	});
}));
//#endregion
//#region src/implementers/codex/reasons.ts
/**
* What an error of the CLI (`turn.failed`, top-level `error`) means. It has words only, and the service's answer may
* stand in them as JSON in JSON. `now`: milliseconds since the epoch, for "try again in 5 minutes".
*/
function classify(error, now) {
	const { text, code } = unwrap(error);
	const words = `${text}\n${code}`.slice(0, 4e3).toLowerCase();
	const status = statusOf(words);
	const reason = reasonOf(words, status);
	const retryAt = reason === "usage-limit" || reason === "rate-limit" ? retryTime(words, now) : null;
	return {
		reason,
		retryable: retryable(reason, status, words, retryAt),
		retryAt,
		text
	};
}
/** Whether the CLI only says that it connects once more. */
function isReconnect(message) {
	return /^(?:reconnecting|retrying|stream (?:error|disconnected)[^\n]*; retrying)\b/i.test(message.trim());
}
/** `{"error":{"type":…,"message":"bad"}}`, once or twice wrapped, is "bad". */
function unwrap(error, depth = 0) {
	if (isObject(error)) return ofObject(error, depth);
	const text = (stringOf(error) ?? "").trim();
	const start = text.indexOf("{");
	const inner = start < 0 || depth > MAX_DEPTH ? null : parsed(text.slice(start));
	if (inner === null) return {
		text: text === "" ? SILENT : truncate(text, 4e3),
		code: ""
	};
	const found = ofObject(inner, depth + 1);
	if (found.text === SILENT) return {
		text: truncate(text, 4e3),
		code: found.code
	};
	const before = text.slice(0, start).trim();
	return {
		text: before === "" ? found.text : `${before} ${found.text}`,
		code: found.code
	};
}
function ofObject(error, depth) {
	const inner = error["error"];
	const found = isObject(inner) || typeof inner === "string" ? inner : error["message"];
	const words = depth > MAX_DEPTH ? {
		text: SILENT,
		code: ""
	} : unwrap(found, depth + 1);
	const own = [
		"type",
		"code",
		"codex_error_info",
		"codexErrorInfo"
	].map((name) => codeOf(error[name]));
	return {
		...words,
		code: [words.code, ...own].filter((part) => part !== "").join(" ")
	};
}
function codeOf(value) {
	return stringOf(value) ?? Object.keys(objectOf(value)).join(" ");
}
function parsed(text) {
	try {
		const value = JSON.parse(text);
		return isObject(value) ? value : null;
	} catch {
		return null;
	}
}
function statusOf(words) {
	const found = /\bstatus:?(?: code)?:? (\d{3})\b/.exec(words)?.[1];
	return found === void 0 ? null : Number(found);
}
function reasonOf(words, status) {
	const said = BY_WORDS.find(([, form]) => form.test(words))?.[0];
	const byStatus = status === null ? void 0 : BY_STATUS[status];
	if (said !== void 0 && !(said === "rate-limit" && byStatus !== void 0)) return said;
	return byStatus ?? said ?? (status !== null || SERVICE.test(words) ? "api-error" : "other");
}
function retryable(reason, status, words, retryAt) {
	switch (reason) {
		case "rate-limit":
		case "overloaded": return true;
		case "usage-limit": return retryAt === null ? null : true;
		case "api-error":
			if (status !== null) return status === 408 || status === 409 || status >= 500;
			return !/invalid_request|not found|does not exist|not supported/.test(words);
		case "other": return null;
		default: return false;
	}
}
/** "try again in 1 day 3 hours 52 minutes", "in 1.2s", "in 350ms", "at 2026-12-01T00:00:00Z": as ISO 8601, or null. */
function retryTime(text, now) {
	const words = text.toLowerCase();
	const at = /try again at (\d{4}-\d{2}-\d{2}t[\d:.]+(?:z|[+-]\d{2}:?\d{2}))/.exec(words)?.[1];
	if (at !== void 0) return isoOf(Date.parse(at));
	const within = /try again in ((?:\d+(?:\.\d+)?\s*[a-z]+(?:,? (?:and )?)?)+)/.exec(words)?.[1];
	if (within !== void 0) return isoOf(now + [...within.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)].map(([, amount, unit]) => unit === "ms" ? Number(amount) : Number(amount) * (UNITS[unit?.[0] ?? ""] ?? NaN)).reduce((sum, one) => sum + one, 0));
	return clockTime(words, now);
}
/** "try again at 3:05 PM", "at Dec 3rd, 2026 1:24 AM": the CLI means the clock of this machine. */
function clockTime(words, now) {
	const match = CLOCK.exec(words);
	if (!match) return null;
	const [, month, day, year, hours, minutes, half] = match;
	const hour = Number(hours) % 12 + (half === "pm" ? 12 : 0);
	if (Number(hours) > 12 || Number(minutes) > 59) return null;
	if (month !== void 0) return isoOf(new Date(Number(year), MONTHS.indexOf(month), Number(day), hour, Number(minutes)).getTime());
	const moment = new Date(now);
	moment.setHours(hour, Number(minutes), 0, 0);
	if (moment.getTime() <= now) moment.setDate(moment.getDate() + 1);
	return isoOf(moment.getTime());
}
function isoOf(moment) {
	return Number.isFinite(moment) && Math.abs(moment) < 864e13 ? new Date(moment).toISOString() : null;
}
var MAX_DEPTH, SILENT, BY_WORDS, BY_STATUS, SERVICE, UNITS, CLOCK, MONTHS;
var init_reasons = __esmMin((() => {
	init_json();
	init_text();
	MAX_DEPTH = 8;
	SILENT = "codex reported an error without a text";
	BY_WORDS = [
		["session-not-found", /\bno rollout found\b|thread\/resume failed|session not found|thread not found/],
		["usage-limit", /usage.?limit|hit your limit|\bquota\b|out of credits|insufficient_quota|usagelimitexceeded|credit balance/],
		["budget", /session.?budget.?exceeded/],
		["context-overflow", /context.?length.?exceeded|context.?window|maximum context length|prompt is too long|input is too long/],
		["overloaded", /high demand|overloaded|at capacity|server_is_overloaded|slow_down/],
		["rate-limit", /rate.?limit|too many requests/],
		["auth", /unauthorized|forbidden|authentication|invalid.?api.?key|incorrect api key|not logged in|codex login|log in again|sign in|refresh.?token|token (?:has )?expired/],
		["sandbox-unavailable", /\bsandbox\b.*(?:unavailable|not available|not supported|missing|failed|denied)|landlock/]
	];
	BY_STATUS = {
		401: "auth",
		403: "auth",
		402: "usage-limit",
		413: "context-overflow",
		429: "rate-limit",
		503: "overloaded",
		529: "overloaded"
	};
	SERVICE = /stream disconnected|stream closed|error sending request|connection|timed? ?out|internal server error|unexpected status|invalid_request|server_error|retry limit|http|model.*(?:not found|does not exist|not supported)/;
	UNITS = {
		d: 864e5,
		h: 36e5,
		m: 6e4,
		s: 1e3
	};
	CLOCK = /try again at (?:([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:,| at)? )?(\d{1,2}):(\d{2}) ?([ap]m)/;
	MONTHS = [
		"jan",
		"feb",
		"mar",
		"apr",
		"may",
		"jun",
		"jul",
		"aug",
		"sep",
		"oct",
		"nov",
		"dec"
	];
}));
//#endregion
//#region src/implementers/codex/spellings.ts
/**
* Reads one record. Three families are known: `thread.started` with `item.type` (present), `session.created` with
* `item.item_type` (2025), and the older envelope `{id, msg: {type}}`; names in any case and with any separator.
*/
function readCodexRecord(record) {
	const { msg } = record;
	return isObject(msg) ? ofMessage(msg, stringOf(record["id"]) ?? "") : ofEvent(record);
}
/** `AgentMessage`, `agent-message`, `agent.message` and `agentMessage` are one name: `agent_message`. */
function snakeCase(name) {
	return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2").replace(/[^A-Za-z0-9]+/g, "_").toLowerCase();
}
/** The type of an item, in snake case; older versions called it `item_type`, and the agent the assistant. */
function itemTypeOf(item) {
	const type = snakeCase(stringOf(item["type"]) ?? stringOf(item["item_type"]) ?? stringOf(item["itemType"]) ?? "?");
	return type === "assistant_message" ? "agent_message" : type;
}
/** Text at any depth of strings, lists, `text`, `content` and `message`. Not by recursion: a record may be nested without end. */
function textOf$2(value) {
	const texts = [];
	const open = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next === "string") texts.push(next);
		else if (Array.isArray(next)) for (const part of next.toReversed()) open.push(part);
		else open.push(...partsOf(next));
	}
	return texts.join("");
}
/** The first of the fields that says something. */
function partsOf(value) {
	const { text, content, message } = objectOf(value);
	const part = [
		text,
		content,
		message
	].find((one) => one !== void 0 && one !== null && one !== "");
	return part === void 0 ? [] : [part];
}
function ofEvent(record) {
	const name = stringOf(record["type"]);
	const type = snakeCase(name ?? "?");
	if (STARTED.has(type)) return session(record);
	if (QUIET.has(type)) return { kind: "quiet" };
	switch (type) {
		case "turn_started": return { kind: "turn-started" };
		case "turn_completed": return {
			kind: "turn-completed",
			usage: record["usage"],
			text: null
		};
		case "turn_failed": return {
			kind: "turn-failed",
			error: record["error"] ?? record["message"]
		};
		case "error": return {
			kind: "error",
			message: messageOf(record)
		};
		case "item_started":
		case "item_completed": return itemOf(type === "item_started" ? "started" : "completed", objectOf(record["item"]));
		default: return {
			kind: "unknown",
			name: name ?? "(no type)"
		};
	}
}
function session(record) {
	const id = [
		"thread_id",
		"session_id",
		"threadId",
		"sessionId",
		"conversation_id"
	].map((key) => stringOf(record[key]));
	const nested = stringOf(objectOf(record["thread"] ?? record["session"])["id"]);
	return {
		kind: "session",
		id: id.find((one) => one !== null) ?? nested,
		model: stringOf(record["model"])
	};
}
function itemOf(phase, item) {
	return {
		kind: "item",
		phase,
		id: stringOf(item["id"]) ?? "",
		type: itemTypeOf(item),
		item
	};
}
/** The envelope of 2025: each message becomes the item or event that took its place. */
function ofMessage(msg, envelope) {
	const name = stringOf(msg["type"]) ?? "(no type)";
	const type = snakeCase(name);
	const id = stringOf(msg["call_id"]) ?? envelope;
	const item = (phase, itemType, fields) => itemOf(phase, {
		id,
		type: itemType,
		...fields
	});
	if (STARTED.has(type)) return session(msg);
	if (QUIET_MESSAGES.has(type)) return { kind: "quiet" };
	switch (type) {
		case "task_started": return { kind: "turn-started" };
		case "task_complete": return {
			kind: "turn-completed",
			usage: void 0,
			text: stringOf(msg["last_agent_message"])
		};
		case "turn_aborted": return {
			kind: "turn-failed",
			error: `the turn was aborted: ${stringOf(msg["reason"]) ?? "no reason given"}`
		};
		case "token_count": return {
			kind: "usage",
			usage: objectOf(msg["info"])["total_token_usage"] ?? msg
		};
		case "error":
		case "stream_error": return {
			kind: "error",
			message: messageOf(msg)
		};
		case "warning": return item("completed", "error", { message: messageOf(msg) });
		case "agent_message": return item("completed", "agent_message", { text: textOf$2(msg["message"]) });
		case "agent_reasoning": return item("completed", "reasoning", { text: textOf$2(msg["text"]) });
		case "exec_command_begin": return item("started", "command_execution", { command: commandOf(msg) });
		case "exec_command_end": return item("completed", "command_execution", {
			exit_code: msg["exit_code"],
			aggregated_output: msg["aggregated_output"] ?? `${textOf$2(msg["stdout"])}${textOf$2(msg["stderr"])}`
		});
		case "patch_apply_begin": return item("started", "file_change", { changes: changesOf$2(msg["changes"]) });
		case "patch_apply_end": return item("completed", "file_change", { status: msg["success"] === false ? "failed" : "completed" });
		case "mcp_tool_call_begin": return item("started", "mcp_tool_call", objectOf(msg["invocation"]));
		case "mcp_tool_call_end": return item("completed", "mcp_tool_call", objectOf(msg["invocation"]));
		default: return {
			kind: "unknown",
			name
		};
	}
}
function commandOf(msg) {
	const words = arrayOf(msg["command"]).filter((word) => typeof word === "string");
	return words.length > 0 ? words.join(" ") : stringOf(msg["command"]) ?? "";
}
/** `{path: {add: …}}` as the list of present versions. */
function changesOf$2(changes) {
	return Object.entries(objectOf(changes)).map(([path, change]) => ({
		path,
		kind: stringOf(objectOf(change)["type"]) ?? Object.keys(objectOf(change))[0] ?? "?"
	}));
}
function messageOf(record) {
	return textOf$2(record["message"] ?? record["error"] ?? "");
}
var STARTED, QUIET, QUIET_MESSAGES;
var init_spellings = __esmMin((() => {
	init_json();
	STARTED = new Set([
		"thread_started",
		"session_created",
		"session_started",
		"session_configured"
	]);
	QUIET = new Set([
		"thread_resumed",
		"thread_name_updated",
		"item_updated",
		"item_delta"
	]);
	QUIET_MESSAGES = new Set([
		"agent_message_delta",
		"agent_reasoning_delta",
		"agent_reasoning_raw_content",
		"agent_reasoning_raw_content_delta",
		"agent_reasoning_section_break",
		"exec_command_output_delta",
		"background_event",
		"turn_diff",
		"plan_update",
		"user_message",
		"shutdown_complete"
	]);
}));
//#endregion
//#region src/implementers/codex/usage.ts
/** Null where the record says nothing about tokens. */
function tokensOf(usage) {
	if (!isObject(usage)) return null;
	const input = numberOf(usage["input_tokens"] ?? usage["inputTokens"]);
	const output = numberOf(usage["output_tokens"] ?? usage["outputTokens"]);
	if (input === null && output === null) return null;
	const details = objectOf(usage["input_tokens_details"]);
	const cached = numberOf(usage["cached_input_tokens"] ?? usage["cachedInputTokens"] ?? details["cached_tokens"]);
	return {
		inputTokens: Math.max(0, (input ?? 0) - (cached ?? 0)),
		outputTokens: output ?? 0,
		cachedTokens: cached ?? 0
	};
}
/** Codex names no price and no model. */
function costOf(tokens) {
	return {
		usd: null,
		inputTokens: null,
		outputTokens: null,
		cachedTokens: null,
		...tokens,
		byModel: {}
	};
}
var init_usage = __esmMin((() => {
	init_json();
}));
//#endregion
//#region src/implementers/codex/events.ts
/**
* Reads `codex exec --json`. `turn.completed` is the only success and `turn.failed` an error whatever the exit code; an
* `error` item and a reconnect are notices. `now` gives milliseconds since the epoch, for "try again in 5 minutes".
*/
function createCodexReader(now = Date.now) {
	const reader = new CodexReader(now);
	return {
		read: (record) => reader.read(record),
		claim: () => reader.claim()
	};
}
function nameOf(value) {
	return stringOf(value) ?? "?";
}
function outputOf(item) {
	const output = stringOf(item["aggregated_output"] ?? item["aggregatedOutput"] ?? item["output"]);
	if (output !== null) return output;
	const error = textOf$2(item["error"]);
	return error === "" ? textOf$2(objectOf(item["result"])["content"]) : error;
}
var MAX_OPEN_TOOLS, MAX_TEXT, CodexReader, NOTHING_DONE;
var init_events = __esmMin((() => {
	init_json();
	init_text();
	init_reasons();
	init_spellings();
	init_usage();
	MAX_OPEN_TOOLS = 1024;
	MAX_TEXT = 2e3;
	CodexReader = class {
		now;
		sessionId = null;
		model = null;
		/** The last terminal record. */
		ending = null;
		/** A top-level error that no terminal record followed: older versions end with it. */
		lastError = null;
		usage = null;
		lastText = "";
		open = /* @__PURE__ */ new Set();
		denials = [];
		retries = 0;
		toolCalls = 0;
		subagents = 0;
		commands = 0;
		/** Commands that did not run, since there was no sandbox to run them in. */
		unsandboxed = 0;
		constructor(now) {
			this.now = now;
		}
		read(record) {
			const found = readCodexRecord(record);
			switch (found.kind) {
				case "session": return this.session(found);
				case "item": return this.item(found);
				case "turn-completed": return this.completed(found);
				case "turn-failed": return this.failed(classify(found.error ?? this.lastError, this.now()));
				case "usage": return this.used(found.usage);
				case "error": return this.error(found.message);
				case "unknown": return [{
					type: "unknown",
					record: truncate(found.name, 200)
				}];
				default: return [];
			}
		}
		claim() {
			const { ending } = this;
			const verdict = ending === null && this.lastError !== null ? classify(this.lastError, this.now()) : ending?.verdict ?? null;
			const without = verdict === null && this.sandboxMissing();
			return {
				claim: verdict ? "error" : ending === null ? "none" : "success",
				subtype: ending?.subtype ?? null,
				reason: without ? "sandbox-unavailable" : verdict?.reason ?? null,
				retryable: without ? false : verdict?.retryable ?? null,
				retryAt: verdict?.retryAt ?? null,
				errorText: verdict?.text ?? null,
				sessionId: this.sessionId,
				model: this.model,
				permissionMode: null,
				version: null,
				sandboxEnabled: null,
				finalText: this.lastText,
				finalTextSource: this.lastText === "" ? "none" : "assistant",
				numTurns: null,
				usage: this.usage,
				cost: costOf(tokensOf(this.usage)),
				denials: [...this.denials],
				retries: this.retries,
				toolCalls: this.toolCalls,
				subagents: this.subagents
			};
		}
		session({ id, model }) {
			this.sessionId = id ?? this.sessionId;
			this.model = model ?? this.model;
			if (this.sessionId === null) return [];
			return [{
				type: "session",
				sessionId: this.sessionId,
				model: this.model,
				permissionMode: null,
				version: null,
				sandboxEnabled: null
			}];
		}
		completed({ usage, text }) {
			const events = this.used(usage);
			if (text !== null && text.trim() !== "" && this.lastText === "") events.push(...this.text(text));
			const verdict = this.didNothing() ? NOTHING_DONE : null;
			this.ending = {
				subtype: "turn.completed",
				verdict
			};
			const claim = verdict ? "error" : "success";
			const reason = this.claim().reason;
			return [...events, {
				type: "finished",
				claim,
				reason,
				text: verdict?.text ?? this.lastText
			}];
		}
		failed(verdict) {
			this.ending = {
				subtype: "turn.failed",
				verdict
			};
			return [{
				type: "finished",
				claim: "error",
				reason: verdict.reason,
				text: verdict.text
			}];
		}
		used(usage) {
			const tokens = tokensOf(usage);
			if (tokens === null) return [];
			this.usage = usage;
			return [{
				type: "usage",
				...tokens
			}];
		}
		/** Not fatal by itself: what counts is how the turn ends. */
		error(message) {
			const text = truncate(message.trim() === "" ? "an error without a text" : message, MAX_TEXT);
			if (isReconnect(message)) {
				this.retries += 1;
				return [{
					type: "notice",
					kind: "retry",
					text
				}];
			}
			this.lastError = message;
			return [{
				type: "notice",
				kind: "warning",
				text
			}];
		}
		item(found) {
			const { phase, type, item } = found;
			switch (type) {
				case "agent_message": return phase === "completed" ? this.text(textOf$2(item)) : [];
				case "reasoning": {
					const text = textOf$2(item);
					return phase === "completed" && text !== "" ? [{
						type: "thinking",
						text,
						subagent: false
					}] : [];
				}
				case "error": return [{
					type: "notice",
					kind: "warning",
					text: truncate(textOf$2(item), MAX_TEXT)
				}];
				case "todo_list": return [];
				case "command_execution": return this.tool(found, type, { command: item["command"] ?? null });
				case "file_change": return this.tool(found, type, { changes: arrayOf(item["changes"]) });
				case "web_search": return this.tool(found, type, { query: item["query"] ?? null });
				case "mcp_tool_call": return this.tool(found, `${nameOf(item["server"])}/${nameOf(item["tool"])}`, item["arguments"] ?? null);
				case "collab_tool_call": return this.tool(found, nameOf(item["tool"]), { prompt: item["prompt"] ?? null });
				default: return phase === "completed" ? [{
					type: "unknown",
					record: truncate(`item/${type}`, 200)
				}] : [];
			}
		}
		text(text) {
			if (text.trim() === "") return [];
			this.lastText = text;
			return [{
				type: "text",
				text,
				subagent: false
			}];
		}
		/** Some items are only told when they are over: then both events come at once. */
		tool({ phase, id, type, item }, tool, input) {
			const events = [];
			if (!this.open.has(id)) {
				this.toolCalls += 1;
				if (type === "collab_tool_call" && tool.includes("spawn")) this.subagents += 1;
				if (this.open.size < MAX_OPEN_TOOLS) this.open.add(id);
				events.push({
					type: "tool-started",
					id,
					tool,
					input,
					subagent: false
				});
			}
			if (phase === "started") return events;
			this.open.delete(id);
			const status = stringOf(item["status"]);
			const code = numberOf(item["exit_code"] ?? item["exitCode"]);
			const ok = status !== "failed" && status !== "declined" && (code === null || code === 0);
			const output = outputOf(item);
			if (type === "command_execution") this.command(ok, output);
			events.push({
				type: "tool-finished",
				id,
				ok,
				output,
				subagent: false
			});
			if (status === "declined") events.push(this.denied(id, tool, input, output));
			return events;
		}
		command(ok, output) {
			this.commands += 1;
			if (!ok && /^\s*(?:bwrap: |error running landlock|Sandbox\(Landlock)/.test(output)) this.unsandboxed += 1;
		}
		/** A single failure may be a `bwrap` of the agent's own; a sandbox that is not there fails every command. */
		sandboxMissing() {
			return this.commands > 0 && this.unsandboxed === this.commands;
		}
		denied(id, tool, input, output) {
			const reason = output === "" ? null : truncate(output, MAX_TEXT);
			this.denials.push({
				tool,
				input,
				reason
			});
			return {
				type: "denied",
				id,
				tool,
				input,
				reason
			};
		}
		/** A prompt that a hook blocked ends so: `turn.completed`, exit 0, and the model was never asked. */
		didNothing() {
			const tokens = tokensOf(this.usage);
			return this.lastText === "" && this.toolCalls === 0 && (tokens === null || tokens.inputTokens + tokens.outputTokens + tokens.cachedTokens === 0);
		}
	};
	NOTHING_DONE = {
		reason: "other",
		retryable: null,
		retryAt: null,
		text: "codex ended the turn without a word, an action or a token: the model was not asked (a hook may have blocked the brief)"
	};
}));
//#endregion
//#region src/implementers/codex/false-start.ts
/** What codex prints on stderr when it leaves before its first record. */
function codexFalseStart(stderr) {
	const line = (form) => stderr.find((one) => form.test(one));
	const unknown = line(/no rollout found|thread\/resume failed|no saved session found/i);
	if (unknown !== void 0) return {
		reason: "session-not-found",
		retryable: false,
		text: unknown.replace(/^Error: /, "")
	};
	if (line(/^Not inside a trusted directory/) === void 0) return null;
	return {
		reason: null,
		retryable: false,
		text: "codex works only in a git repository or a trusted directory: pass --skip-git-repo-check to let it work here"
	};
}
var init_false_start = __esmMin((() => {}));
//#endregion
//#region src/implementers/codex/sandbox.ts
/**
* In `workspace-write` codex keeps `.git`, `.codex` and `.agents` at the top of each writable root read-only, and nothing
* below: the `.git` of a nested repository was written through. So each nested repository becomes a root of its own.
* There is no rule for anything else, such as a run directory within the working directory.
*/
function writableRoots({ cwd, realWorkdir = cwd, tempDir, allowWrite, protect }) {
	const ownGit = join(realWorkdir, ".git");
	const open = protect.filter((path) => isBelow(realWorkdir, path) && !isBelow(ownGit, path));
	const nested = open.filter((path) => basename(path) === ".git").map((path) => dirname(path));
	const left = open.filter((path) => basename(path) !== ".git");
	return {
		writable: [
			...tempDir ? [tempDir] : [],
			...allowWrite,
			...nested
		],
		gaps: left.map((path) => `${path} lies in the working directory, where the sandbox of codex cannot keep it read-only`)
	};
}
function isBelow(folder, path) {
	const way = relative(folder, path);
	return !isAbsolute(way) && way !== ".." && !way.startsWith("../") && !way.startsWith("..\\");
}
/** A TOML string is a JSON string, but for one control character. */
function toml(value) {
	return JSON.stringify(value).replaceAll("", "\\u007f");
}
var SANDBOX_MODE;
var init_sandbox = __esmMin((() => {
	SANDBOX_MODE = {
		write: "workspace-write",
		"read-only": "read-only",
		bypass: "danger-full-access"
	};
}));
//#endregion
//#region src/implementers/codex/plan.ts
/** How a request becomes a command line. Pure: it reads and writes nothing. */
function planCodex(request) {
	const { writable, gaps } = writableRoots(request);
	const overrides = configuration(request, writable);
	const isWrite = request.profile === "write";
	const schema = request.text?.outputSchema ?? null;
	return {
		file: request.binary,
		args: [
			"exec",
			...commandLine(request, overrides),
			"-"
		],
		env: childEnvironment$1(request),
		cwd: request.cwd,
		artifacts: [{
			name: "profile",
			content: profile(request, overrides)
		}, ...schema === null ? [] : [{
			name: "outputSchema",
			content: schema
		}]],
		toolSurface: [],
		permissionMode: SANDBOX_MODE[request.profile],
		shellSandbox: sandboxOf(request),
		sandboxRequired: false,
		gaps: isWrite ? gaps : []
	};
}
/**
* `[-s MODE] …` for a fresh run, `[-s MODE] … resume <id> …` for a resumed one. Without a sandbox a resumed session would
* be read-only, or what the settings say: it always gets one. `-s` is no flag of `resume` and must stand before it.
*/
function commandLine(request, overrides) {
	const { resume, model, ephemeral, skipGitRepoCheck = false, runDir, text } = request;
	const mode = SANDBOX_MODE[request.profile];
	const asksNobody = takes(request, "exec", "--ask-for-approval") ? [["--ask-for-approval", "never"]] : [];
	const wide = [
		[jsonFlag(request)],
		...lastMessage(request),
		...model === null ? [] : [["-m", model]],
		...overrides.map((override) => ["-c", override]),
		...ephemeral ? [["--ephemeral"]] : [],
		...skipGitRepoCheck ? [["--skip-git-repo-check"]] : [],
		...takes(request, "exec", "--ignore-rules") ? [["--ignore-rules"]] : [],
		...(text?.outputSchema ?? null) === null ? [] : [["--output-schema", artifactPath(runDir, "outputSchema")]],
		...asksNobody
	];
	if (resume === null) {
		const first = 1 + lastMessage(request).length;
		return [
			...wide.slice(0, first).flat(),
			"-s",
			mode,
			...wide.slice(first).flat()
		];
	}
	const sandboxFlag = sandboxByFlag(request) ? ["-s", mode] : [];
	const [after, before] = split(wide, ([flag = ""]) => takes(request, "resume", flag));
	return [
		...sandboxFlag,
		...before,
		"resume",
		...resume.kind === "last" ? ["--last"] : [resume.id],
		...after
	];
}
/** For a time the events of today had this name, and `--json` was an older form, in which no success is told. */
function jsonFlag(request) {
	return takes(request, "exec", "--experimental-json") ? "--experimental-json" : "--json";
}
/** The short flag is younger than the long one. Without either, the text of the stream is all there is. */
function lastMessage(request) {
	const flag = ["-o", "--output-last-message"].find((one) => takes(request, "exec", one));
	return flag === void 0 ? [] : [[flag, artifactPath(request.runDir, "final")]];
}
function takes({ features = [] }, command, flag) {
	return features.some((feature) => feature.startsWith(`${command} `)) ? features.includes(`${command} ${flag}`) : USUAL.has(`${command} ${flag}`);
}
/** `-c sandbox_mode` is understood by every version; the flag only by those that list it. */
function sandboxByFlag({ profileAsked = false, features = [] }) {
	return profileAsked && features.includes("exec --sandbox");
}
function split(all, belongs) {
	const flat = (part) => part.flat().map(String);
	return [flat(all.filter(belongs)), flat(all.filter((one) => !belongs(one)))];
}
/** What `-c` sets, over the user's own settings. The effort is the first. */
function configuration(request, writable) {
	const { effort, profile, resume, allowHooks, features = [], text } = request;
	const mcpServers = features.filter((feature) => feature.startsWith("mcp ")).map((feature) => feature.slice(4));
	return [
		...effort === null ? [] : [`model_reasoning_effort=${effort}`],
		...resume !== null && !sandboxByFlag(request) ? [`sandbox_mode=${toml(SANDBOX_MODE[profile])}`] : [],
		...allowHooks ? [] : ["features.hooks=false"],
		...profile === "write" ? [
			"sandbox_workspace_write.exclude_slash_tmp=true",
			"sandbox_workspace_write.exclude_tmpdir_env_var=true",
			`sandbox_workspace_write.writable_roots=${toml(writable)}`
		] : [],
		...withoutServers(mcpServers),
		...text?.tools === "none" ? ["features.shell_tool=false"] : []
	];
}
/** One value, not a key for each: keys are split at every dot, whatever the quotes, and a second value replaces the first. */
function withoutServers(names) {
	if (names.length === 0) return [];
	return [`mcp_servers={${names.map((name) => `${toml(name)}={enabled=false}`).join(",")}}`];
}
function sandboxOf({ profile, platform }) {
	if (profile === "bypass") return "not-applicable";
	return platform === "win32" ? "unsupported-on-native-windows" : "strict";
}
/** What commands of the run take for the temp folder is the one that they may write. */
function childEnvironment$1({ env, tempDir, platform }) {
	if (!tempDir) return env;
	return platform === "win32" ? {
		...env,
		TEMP: tempDir,
		TMP: tempDir
	} : {
		...env,
		TMPDIR: tempDir
	};
}
/** For people, and for `baton show`: codex itself is given it as flags. */
function profile(request, overrides) {
	return toJsonFile({
		sandbox: SANDBOX_MODE[request.profile],
		configuration: overrides
	});
}
var USUAL;
var init_plan = __esmMin((() => {
	init_json();
	init_layout();
	init_sandbox();
	USUAL = new Set(["exec", "resume"].flatMap((command) => [
		"--json",
		"-o",
		"-m",
		"-c",
		"--skip-git-repo-check"
	].map((flag) => `${command} ${flag}`)));
}));
//#endregion
//#region src/implementers/codex/features.ts
/**
* What this version of the CLI takes, from its own help texts. Remembered for this binary and version, so that it costs
* one run two more starts of the CLI; where a help text could not be had, the next run asks again.
*/
async function featuresOf(request) {
	const record = request.stateHome === void 0 ? null : recordPath(request.stateHome, request);
	const known = record === null ? null : remembered(record, request);
	if (known) return known;
	const found = await Promise.all([ask$1("exec", request), ask$1("resume", request)]);
	const features = found.flatMap((flags) => flags ?? []);
	if (record !== null && !found.includes(null)) remember(record, request, features);
	return features;
}
/** The flags of a help text, short and long, by command; null where it is no help text. */
function flagsOf(command, help) {
	if (!/^\s*Usage:/m.test(help)) return null;
	const found = [...help.matchAll(/^\s+(?:(-[A-Za-z]), )?(--[a-z][\w-]*)/gm)].flatMap(([, short, long]) => [short, long].flatMap((flag) => flag === void 0 ? [] : [`${command} ${flag}`]));
	return found.length > 0 ? found : null;
}
async function ask$1(command, request) {
	const answer = await runCommand({
		file: request.binary,
		args: COMMANDS[command],
		cwd: request.cwd,
		env: request.env,
		timeoutMs: request.limitMs,
		maxBytes: 1024 ** 2,
		signal: request.signal
	});
	if (answer.end !== "exited" || answer.code !== 0) return null;
	return flagsOf(command, answer.stdout.toString("utf8"));
}
function recordPath(stateHome, { binary, version }) {
	return join(stateHome, "probes", `codex-${shortHash(`${binary}\0${version}`)}.json`);
}
function remembered(path, { binary, version }) {
	const record = readRecord(path);
	if (record?.["binary"] !== binary || record["version"] !== version) return null;
	const features = arrayOf(record["features"]).filter((one) => typeof one === "string");
	return features.length > 0 ? features : null;
}
function remember(path, { binary, version, stateHome }, features) {
	if (stateHome === void 0) return;
	try {
		makePrivateFolder(join(stateHome, "probes"));
		writeRecord(path, {
			binary,
			version,
			features
		});
	} catch {}
}
var COMMANDS;
var init_features = __esmMin((() => {
	init_command();
	init_json();
	init_state_folder();
	COMMANDS = {
		exec: ["exec", "--help"],
		resume: [
			"exec",
			"resume",
			"--help"
		]
	};
}));
//#endregion
//#region src/implementers/codex/settings.ts
/**
* What the user's settings, and those of the project, do to the sandbox of a run. A few small files are read as text:
* tables and keys stand on lines of their own, which is all that has to be known. None of them can fail the run.
*/
async function codexSettings({ env, cwd, platform }) {
	const home = codexHome(env, platform);
	const projects = projectFolders(cwd).map((folder) => join(folder, ".codex"));
	const [user, ofProjects, rules] = await Promise.all([
		read$2(join(home, "config.toml")),
		Promise.all(projects.map((folder) => read$2(join(folder, "config.toml")))),
		Promise.all([home, ...projects].map((folder) => ruleFiles(join(folder, "rules"))))
	]);
	const { names, odd } = mcpServers(user.text);
	return {
		mcpServers: names,
		provider: providerOf(user.text),
		warnings: [
			...odd ? [mcpWarning(user)] : [],
			...ofProjects.filter(({ text }) => /^\s*\[?\s*mcp_servers\b/m.test(text)).map(mcpWarning),
			.../^\s*(?:sandbox_workspace_write\.)?network_access\s*=\s*true/m.test(user.text) ? [{
				text: `network_access is on in ${user.path}: commands of a run reach the network`,
				gap: false
			}] : []
		],
		ruleWarnings: rules.flat().map((path) => ({
			text: `${path} may let commands run outside the sandbox, and this version of codex cannot be told to ignore it`,
			gap: true
		}))
	};
}
function mcpWarning({ path }) {
	return {
		text: `${path} names MCP servers: those that codex starts run outside its sandbox, and may do what the run must not`,
		gap: true
	};
}
/** `[mcp_servers.name]` and `[mcp_servers."a name"]`; any other way to write it is only noticed. */
function mcpServers(toml) {
	const names = /* @__PURE__ */ new Set();
	let odd = false;
	for (const [line] of toml.matchAll(/^\s*\[?\s*mcp_servers\b.*$/gm)) {
		const table = /^\s*\[\s*mcp_servers\s*\.\s*(?:([\w-]+)|"([^"\\]+)"|'([^']+)')\s*[\].]/.exec(line);
		const name = table?.[1] ?? table?.[2] ?? table?.[3];
		if (name === void 0) odd = true;
		else names.add(name);
	}
	return {
		names: [...names],
		odd
	};
}
/** `model_provider` of the top of the file, before any table. */
function providerOf(toml) {
	const top = toml.split(/^\s*\[/m, 1)[0] ?? "";
	const provider = /^\s*model_provider\s*=\s*["']([^"']+)["']/m.exec(top)?.[1] ?? "openai";
	return provider === "openai" ? null : provider;
}
function codexHome(env, platform) {
	const home = readVariable(env, platform === "win32" ? "USERPROFILE" : "HOME", platform) || homedir();
	return readVariable(env, "CODEX_HOME", platform) || join(home, ".codex");
}
/** From the working directory up to the top of its repository; outside of one only the directory itself. */
function projectFolders(cwd) {
	const folders = [];
	for (let folder = cwd;; folder = dirname(folder)) {
		folders.push(folder);
		if (existsSync(join(folder, ".git"))) return folders;
		if (dirname(folder) === folder) return [cwd];
	}
}
async function ruleFiles(folder) {
	return (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".rules")).map((name) => join(folder, name));
}
async function read$2(path) {
	return {
		path,
		text: await readFile(path, "utf8").catch(() => "")
	};
}
var init_settings = __esmMin((() => {
	init_environment();
}));
//#endregion
//#region src/implementers/codex/probe.ts
/** Finds the CLI on the child's own PATH, asks for its version and its flags, and looks at what could undo the sandbox. */
async function probeCodex(request) {
	const [found, settings] = await Promise.all([ask(request), codexSettings(request)]);
	const { features, ...version } = found;
	const ignoresRules = features.includes("exec --ignore-rules");
	return {
		...version,
		features: [...features, ...settings.mcpServers.map((name) => `mcp ${name}`)],
		warnings: [...settings.warnings, ...ignoresRules ? [] : settings.ruleWarnings]
	};
}
async function ask(request) {
	const found = await askVersion("codex", request);
	const { answer, binary, version } = found;
	if (answer !== "ok" || binary === null || version === null) return {
		...found,
		features: []
	};
	const { env, limitMs, signal, stateHome } = request;
	const features = await inEmptyFolder((cwd) => featuresOf({
		binary,
		version,
		env,
		cwd,
		limitMs,
		signal,
		stateHome
	}));
	return {
		...found,
		features
	};
}
var init_probe = __esmMin((() => {
	init_ask_version();
	init_empty_folder();
	init_features();
	init_settings();
}));
//#endregion
//#region src/implementers/codex/inspect.ts
var inspect_exports = /* @__PURE__ */ __exportAll({
	catalogueOf: () => catalogueOf,
	inspectCodex: () => inspectCodex,
	loggedIn: () => loggedIn
});
/** Looks at the installed CLI as a run would find it. */
async function inspectCodex(request) {
	const executable = await inspectExecutable("codex", request, VERSION);
	const checks = [executableCheck(executable, NAMES$1)];
	if (executable.state !== "ready" && executable.state !== "no-version") return {
		executable,
		authenticated: null,
		models: NO_MODELS,
		checks
	};
	const [login, models, sandbox, settings] = await inEmptyFolder((cwd) => {
		const ask = asking({
			...request,
			cwd
		}, executable.path);
		return Promise.all([
			ask(["login", "status"]),
			ask([
				"debug",
				"models",
				"--bundled"
			]),
			request.platform === "win32" ? null : ask([
				"sandbox",
				"--",
				"true"
			]),
			settingsChecks(request, ask)
		]);
	});
	const authenticated = signedIn(login, settings.provider, request);
	checks.push(signInCheck(authenticated, settings.provider), ...sandbox ? sandboxChecks(sandbox) : [], ...settings.checks);
	return {
		executable,
		authenticated,
		models: modelsOf(models),
		checks
	};
}
function asking({ cwd, env, limitMs, signal }, file) {
	const maxBytes = 64 * 1024 ** 2;
	return (args) => runCommand({
		file,
		args,
		cwd,
		env,
		timeoutMs: limitMs,
		maxBytes,
		signal
	});
}
/**
* True, false, or null where it cannot be said. The CLI knows its own account only: `codex exec` takes `CODEX_API_KEY`
* as well (and not `OPENAI_API_KEY`), and a provider of the user's own has a key of its own.
*/
function signedIn(login, provider, request) {
	if (provider !== null) return null;
	if (readVariable(request.env, "CODEX_API_KEY", request.platform)) return true;
	if (login.end !== "exited") return null;
	return loggedIn(`${login.stderr}\n${login.stdout.toString("utf8")}`, login.code === 0);
}
/** Reads the answer of `login status`, which it prints on stderr. "Not logged in" holds "logged in": it comes first. */
function loggedIn(text, exitedWell) {
	if (/not logged in/i.test(text)) return false;
	return exitedWell && /logged in|API key configured/i.test(text) ? true : null;
}
function signInCheck(authenticated, provider) {
	const id = "signed-in";
	if (provider !== null) return {
		id,
		state: "ok",
		text: `codex uses a provider of yours, ${provider}: whether it lets you in is not known`
	};
	if (authenticated) return {
		id,
		state: "ok",
		text: "codex is signed in"
	};
	const remedy = "codex login";
	return authenticated === false ? {
		id,
		state: "problem",
		text: "codex is not signed in, and CODEX_API_KEY is not set",
		remedy
	} : {
		id,
		state: "warning",
		text: "whether codex is signed in is not known: it does not say",
		remedy
	};
}
function modelsOf({ end, code, stdout }) {
	if (end !== "exited" || code !== 0) return FAILED_MODELS;
	const names = catalogueOf(stdout.toString("utf8"));
	return names === null ? FAILED_MODELS : listedModels(names);
}
/** The names in its catalogue, without those that it hides; null where it is none. */
function catalogueOf(text) {
	try {
		const catalogue = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
		if (!isObject(catalogue) || !Array.isArray(catalogue["models"])) return null;
		return arrayOf(catalogue["models"]).map(objectOf).filter((model) => model["visibility"] !== "hide").flatMap((model) => stringOf(model["slug"]) ?? []);
	} catch {
		return null;
	}
}
/** Its sandbox is its own, and is tried as it is. An older version does not know the command: then nothing is known. */
function sandboxChecks({ end, code, stderr }) {
	const id = "sandbox";
	if (end === "exited" && code === 0) return [{
		id,
		state: "ok",
		text: "the sandbox of codex works"
	}];
	if (/^\s*Usage:/m.test(stderr) || end === "aborted") return [];
	const [said = `it ends with ${code ?? end}`] = lastLines(stderr, 1);
	return [{
		id,
		state: "problem",
		text: `the sandbox of codex does not work: ${truncate(oneLine(said), 200)}`,
		remedy: "codex sandbox -- true"
	}];
}
async function settingsChecks(request, ask) {
	const { provider, warnings, ruleWarnings } = await codexSettings(request);
	return {
		provider,
		checks: (ruleWarnings.length === 0 || await ignoresRules(ask) ? warnings : [...warnings, ...ruleWarnings]).map(({ text }) => ({
			id: "settings",
			state: "warning",
			text,
			remedy: "take that out of the file, or know that such a run is less closed"
		}))
	};
}
async function ignoresRules(ask) {
	const help = await ask(["exec", "--help"]);
	return help.code === 0 && (flagsOf("exec", help.stdout.toString("utf8")) ?? []).includes("exec --ignore-rules");
}
var NAMES$1, VERSION;
var init_inspect = __esmMin((() => {
	init_command();
	init_environment();
	init_json();
	init_text();
	init_empty_folder();
	init_executable();
	init_executable_check();
	init_inspection();
	init_features();
	init_settings();
	NAMES$1 = {
		name: "codex",
		install: "npm install -g @openai/codex"
	};
	VERSION = /^codex(?:-cli)? \d+\.\d+\.\d+\S*$/;
}));
//#endregion
//#region src/implementers/codex/codex.ts
var codex;
var init_codex = __esmMin((() => {
	init_containment();
	init_events();
	init_false_start();
	init_plan();
	init_probe();
	init_sandbox();
	codex = {
		id: "codex",
		unavailable: "codex_unavailable",
		capabilities: {
			resume: true,
			resumeLast: true,
			readOnly: true,
			model: true,
			effort: true,
			maxTurns: false,
			maxBudgetUsd: false,
			autocompact: false,
			bypass: false,
			sandboxModes: true,
			ephemeral: true,
			cleanEnv: true,
			skipGitRepoCheck: true,
			allowDomains: false,
			resumeUnrecorded: false,
			keepsProfile: true,
			ownTemp: true
		},
		refuse: () => null,
		probe: probeCodex,
		inspect: async (request) => (await Promise.resolve().then(() => (init_inspect(), inspect_exports))).inspectCodex(request),
		plan: planCodex,
		containment: codexContainment,
		reader: () => createCodexReader(),
		ownFields: ({ version, claim, profile, session, resumedFrom, cleanEnv, keepEnv }) => ({
			codexVersion: version,
			threadId: claim.sessionId ?? resumedFrom,
			session,
			sandbox: SANDBOX_MODE[profile],
			cleanEnv,
			keepEnv: [...keepEnv]
		}),
		falseStart: codexFalseStart
	};
}));
//#endregion
//#region src/implementers/scripted/scripted.ts
/**
* The implementer that plays a script: the whole path of a dispatch, with no account and no model. What it prints and
* takes is `shape`'s, so its flags, its profile and its reader are too.
*/
function scriptedAs(shape) {
	return {
		id: "scripted",
		unavailable: "scripted_unavailable",
		capabilities: shape.capabilities,
		refuse: () => null,
		probe: probeScripted,
		inspect: inspectScripted,
		plan: (request) => planScripted(shape.plan(request), request.binary),
		containment: (request) => openContainment(shape.containment(request)),
		reader: () => shape.reader(),
		ownFields: (facts) => {
			const { tool, ...fields } = shape.ownFields(facts);
			return tool === void 0 ? fields : {
				tool: "scripted",
				...fields
			};
		}
	};
}
/**
* As which CLI the script of this environment is to be played. Only looked at, not read: what is wrong with it is for
* the player to say.
*/
function shapeOf(env) {
	const script = env[SCRIPT];
	if (!script) return "claude";
	try {
		return /^\s*\{?\s*"?shape"?\s*:\s*["']?codex\b/m.test(readFileSync(script, "utf8")) ? "codex" : "claude";
	} catch {
		return "claude";
	}
}
/** The command line is the other's own, so that a script sees every flag that the real CLI would. */
function planScripted(plan, executable) {
	return {
		...plan,
		file: process.execPath,
		args: [executable, ...plan.args],
		env: withScript(plan.env),
		shellSandbox: "not-applicable",
		sandboxRequired: false
	};
}
async function probeScripted({ env, cwd, limitMs, signal }) {
	const binary = findExecutable();
	if (binary === null) return missing(`baton's own ${EXECUTABLE} is not there: reinstall baton-relay`);
	if (!env[SCRIPT]) return missing(`${SCRIPT} is not set: set it to a YAML script (docs/scripted.md)`);
	const answer = await runCommand({
		file: process.execPath,
		args: [binary, "--version"],
		cwd,
		env: withScript(env),
		timeoutMs: limitMs,
		maxBytes: 1024 ** 2,
		signal
	});
	const found = {
		binary,
		warnings: []
	};
	if (answer.end === "timeout") return {
		...found,
		answer: "hung",
		version: "unknown"
	};
	const text = truncate(answer.stdout.toString("utf8").trim(), 200);
	return answer.end === "exited" && answer.code === 0 && text !== "" ? {
		...found,
		answer: "ok",
		version: text
	} : {
		...found,
		answer: "abnormal",
		version: "unknown"
	};
}
/** Nothing to sign in to, and no sandbox: only whether there is something to play. */
async function inspectScripted(request) {
	const { binary, version, warnings } = await probeScripted({
		...request,
		profile: "write"
	});
	const [unfit] = warnings;
	return {
		executable: binary === null || version === null ? { state: "not-installed" } : {
			state: "ready",
			path: binary,
			version,
			banner: false
		},
		authenticated: null,
		models: NO_MODELS,
		checks: [unfit ? {
			id: "executable",
			state: "problem",
			text: unfit.text,
			remedy: `export ${SCRIPT}=<script>`
		} : {
			id: "executable",
			state: "ok",
			text: `scripted ${version ?? ""} (${binary ?? ""})`
		}]
	};
}
function missing(text) {
	return {
		answer: "missing",
		binary: null,
		version: null,
		warnings: [{
			text,
			gap: false
		}]
	};
}
/** A relative script means the caller's directory; the player works in another. */
function withScript(env) {
	const script = env[SCRIPT];
	return script ? {
		...env,
		[SCRIPT]: resolve(script)
	} : env;
}
/** The package's executable, from wherever this file ended up: a source folder, or a bundle in `dist`. */
function findExecutable() {
	for (let folder = dirname(fileURLToPath(import.meta.url));; folder = dirname(folder)) {
		const executable = join(folder, EXECUTABLE);
		if (existsSync(executable)) return executable;
		if (dirname(folder) === folder) return null;
	}
}
/** Nothing holds a script: every kind of violation that the other's containment knows is open here. */
function openContainment({ lines }) {
	const why = "a script is played with no sandbox: it does whatever it says";
	return { lines: lines.map(({ kind }) => ({
		kind,
		possible: true,
		why
	})) };
}
var SCRIPT, EXECUTABLE;
var init_scripted = __esmMin((() => {
	init_command();
	init_text();
	init_inspection();
	SCRIPT = "BATON_SCRIPT";
	EXECUTABLE = join("bin", "baton-scripted.js");
}));
//#endregion
//#region src/implementers/registry.ts
/** The implementer of that id (`claude` ...); undefined for one that baton does not know. */
function findImplementer(id, env) {
	if (id === "scripted") return scriptedAs(shapeOf(env) === "codex" ? codex : claude);
	return REAL.find((implementer) => implementer.id === id);
}
function implementerIds() {
	return [...REAL.map(({ id }) => id), "scripted"];
}
var REAL;
var init_registry = __esmMin((() => {
	init_claude();
	init_codex();
	init_scripted();
	REAL = [claude, codex];
}));
//#endregion
//#region src/running/checks.ts
init_environment();
init_errors();
init_dial_forms();
init_registry();
function refuseRecursion(env) {
	const depth = readVariable(env, DEPTH_MARKER);
	if (depth === void 0 || depth === "0") return;
	throw new UsageError(`this process is itself inside a baton run (${DEPTH_MARKER}=${depth}): an implementer cannot dispatch another one`, { hint: "let the orchestrator dispatch it" });
}
/** The bytes for stdin. `what` is the caller's word for the text: `brief` or `prompt`. */
function checkBrief(brief, what) {
	const bytes = typeof brief === "string" ? Buffer.from(brief, "utf8") : brief;
	if (bytes.length > 1e7) throw new UsageError(`the ${what} has ${bytes.length.toLocaleString("en-US")} bytes, the limit is 10,000,000: put large context into files and name them in the ${what}`);
	if (isBlank(bytes)) throw new UsageError(`the ${what} is empty: write what is to be done`);
	return bytes;
}
function isBlank(bytes) {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8").trim() === "";
}
/** `env` is the run's: of a scripted implementer it names the script. */
function chooseImplementer(id, env = {}) {
	const found = findImplementer(id, env);
	if (found) return found;
	throw new UsageError(`--implementer ${JSON.stringify(id)} is not known: choose ${implementerIds().join(" or ")}`);
}
/**
* The directory to work in: absolute as asked for, and the same without links. It is looked at before the launch, since
* a missing one makes spawn blame the binary.
*/
function checkDirectory(cd) {
	const workdir = resolve(cd);
	try {
		if (statSync(workdir).isDirectory()) return {
			workdir,
			realWorkdir: realpathSync(workdir)
		};
	} catch (error) {
		const why = systemCode(error) === "ENOENT" ? "does not exist" : messageOf$1(error);
		throw new UsageError(`--cd ${JSON.stringify(workdir)} ${why}: name an existing directory`, { cause: error });
	}
	throw new UsageError(`--cd ${JSON.stringify(workdir)} is not a directory`);
}
function checkModel(value) {
	return matching(value, "--model", MODEL_FORM, MODEL_RULE);
}
function checkEffort(value, implementer) {
	const levels = implementer.capabilities.effort;
	if (typeof levels === "object") {
		if (levels.includes(value)) return value;
		throw new UsageError(`--effort ${JSON.stringify(value)} is not a level of ${implementer.id}: choose ${levels.join(", ")}`);
	}
	return matching(value, "--effort", EFFORT_FORM, EFFORT_RULE);
}
/** The value, where it has the form. `rule` says what to write instead. */
function matching(value, flag, form, rule) {
	if (form.test(value)) return value;
	throw new UsageError(`${flag} ${JSON.stringify(value)} is not valid: write ${rule}`);
}
//#endregion
//#region src/dispatch/options.ts
const DEFAULT_LIMITS = {
	maxRecordBytes: 64 * 1024 * 1024,
	minFreeBytes: 2e8,
	preflightMs: 1e4,
	termGraceMs: 5e3,
	maxUntrackedBytes: 50 * 1024 * 1024,
	ignored: {
		files: 2e5,
		pathBytes: 64 * 1024 * 1024,
		ms: 1e4
	},
	gitMs: 12e4
};
//#endregion
//#region src/core/duration.ts
/**
* Reads a duration such as `90s`, `5m` or `1h30m` into milliseconds.
* Refused: an empty text, a bare number, fractions, zero, and more than 596h31m23s (a timer's limit).
*/
function parseDuration(text, flag) {
	const match = FORM.exec(text);
	if (!match || text === "") throw new UsageError(`${flag} ${JSON.stringify(text)} is not a duration: write hours, minutes, seconds in this order, such as 90s, 5m or 1h30m`);
	const [, hours = "0", minutes = "0", seconds = "0"] = match;
	const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e3;
	if (ms === 0) throw new UsageError(`${flag} ${JSON.stringify(text)} is zero: it must be longer than 0s`);
	if (ms > 2147483647) throw new UsageError(`${flag} ${JSON.stringify(text)} is too long: the longest is 596h31m23s`);
	return ms;
}
/** `83_000` as `1m23s`, `1_200` as `1.2s`: short, for people. */
function formatDuration(ms) {
	if (ms < 1e4) return `${(ms / 1e3).toFixed(1)}s`;
	const total = Math.round(ms / 1e3);
	const hours = Math.floor(total / 3600);
	const minutes = Math.floor(total % 3600 / 60);
	const seconds = total % 60;
	return `${hours > 0 ? `${hours}h` : ""}${minutes > 0 ? `${minutes}m` : ""}${seconds > 0 || total === 0 ? `${seconds}s` : ""}`;
}
var MAX_TIMER_MS, FORM;
var init_duration = __esmMin((() => {
	init_errors();
	MAX_TIMER_MS = 2147483647;
	FORM = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
}));
//#endregion
//#region src/lanes/as-text.ts
/** A value of a file in a message: on one line, not for ever, and however deeply it is nested. */
function asText(value) {
	if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
	const text = JSON.stringify(value) ?? typeof value;
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
var init_as_text = __esmMin((() => {}));
//#endregion
//#region src/lanes/lane.ts
/** The implementer of a key, where baton starts it. */
function drivenBy(key) {
	return DRIVEN_KEYS.includes(key) ? findImplementer(key, {}) ?? null : null;
}
/** The dials that an implementer has. What a CLI that baton does not start takes is for others to say: all of them. */
function dialsOf(key) {
	const capabilities = drivenBy(key)?.capabilities;
	if (!capabilities) return DIAL_NAMES;
	const has = {
		model: capabilities.model,
		effort: capabilities.effort !== false,
		timeout: true,
		readOnly: capabilities.readOnly,
		sandbox: capabilities.sandboxModes
	};
	return DIAL_NAMES.filter((dial) => has[dial]);
}
var DIAL_NAMES, LANE_NAME, DRIVEN, FOREIGN, IMPLEMENTER_KEYS, DRIVEN_KEYS;
var init_lane = __esmMin((() => {
	init_registry();
	DIAL_NAMES = [
		"model",
		"effort",
		"variant",
		"timeout",
		"readOnly",
		"sandbox",
		"permissionMode",
		"force",
		"provider"
	];
	LANE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
	DRIVEN = ["claude", "codex"];
	FOREIGN = [
		"dsh",
		"cline",
		"opencode",
		"agy",
		"grok",
		"kimi",
		"qoder",
		"vibe",
		"cursor",
		"pi",
		"omp",
		"aider",
		"copilot",
		"warp",
		"zcode",
		"commandcode"
	];
	IMPLEMENTER_KEYS = [...DRIVEN, ...FOREIGN];
	DRIVEN_KEYS = DRIVEN;
}));
//#endregion
//#region src/lanes/binding.ts
/** Reads one lane of a file. Only its own fields are looked at, never what an object inherits. Never throws. */
function readBinding(value) {
	if (!isObject(value)) return wrong("it is no object");
	const fields = new Map(Object.entries(value));
	const implementer = fields.get("implementer");
	if (implementer === void 0) return wrong(`it names no implementer: write one of ${IMPLEMENTER_KEYS.join(", ")}`);
	if (typeof implementer !== "string" || !IMPLEMENTER_KEYS.includes(implementer)) return wrong(`the implementer ${asText(implementer)} is not known: write one of ${IMPLEMENTER_KEYS.join(", ")}`);
	fields.delete("implementer");
	const dials = {};
	for (const [field, given] of fields) {
		const problem = setDial(dials, implementer, field, given);
		if (problem !== null) return wrong(problem);
	}
	const contradiction = contradictionIn(dials);
	return contradiction === null ? {
		binding: {
			implementer,
			dials
		},
		problem: null
	} : wrong(contradiction);
}
function wrong(problem) {
	return {
		binding: null,
		problem
	};
}
/** Sets a dial that holds. Returns what is wrong with one that does not. */
function setDial(dials, implementer, field, value) {
	const supported = dialsOf(implementer);
	const dial = DIAL_NAMES.find((name) => name === field);
	if (dial === void 0 || !supported.includes(dial)) {
		const what = dial === void 0 ? "is no dial" : `is not supported by ${implementer}`;
		return `${asText(field)} ${what}: ${implementer} has ${supported.join(", ")}`;
	}
	if (dial === "readOnly" || dial === "force") {
		if (typeof value !== "boolean") return `${dial} ${asText(value)} is neither true nor false`;
		dials[dial] = value;
		return null;
	}
	if (typeof value !== "string" || value === "") return `${dial} ${asText(value)} is no text`;
	dials[dial] = value;
	return faultOf$1(implementer, dial, value);
}
/** What is wrong with the value of a text dial. Of a CLI that baton does not start, only the duration is known. */
function faultOf$1(implementer, dial, value) {
	if (dial === "timeout") return durationFault(value);
	const levels = drivenBy(implementer)?.capabilities.effort;
	if (levels === void 0) return null;
	if (dial === "model") return MODEL_FORM.test(value) ? null : `model ${asText(value)} is not ${MODEL_RULE}`;
	if (dial === "sandbox") return oneOf(dial, value, SANDBOX_MODES);
	if (typeof levels === "object") return oneOf(dial, value, levels);
	return EFFORT_FORM.test(value) ? null : `effort ${asText(value)} is not ${EFFORT_RULE}`;
}
function oneOf(dial, value, choices) {
	return choices.includes(value) ? null : `${dial} ${asText(value)} is none of ${choices.join(", ")}`;
}
function durationFault(value) {
	try {
		parseDuration(value, "timeout");
		return null;
	} catch (error) {
		return messageOf$1(error);
	}
}
/** A lane that may not write cannot ask for a way to write as well: nobody could tell which of them it gets. */
function contradictionIn({ readOnly, sandbox, permissionMode, force }) {
	if (!readOnly) return null;
	const against = [
		sandbox === void 0 || sandbox === "read-only" ? null : `sandbox ${asText(sandbox)}`,
		permissionMode === void 0 || permissionMode === "plan" ? null : `permissionMode ${asText(permissionMode)}`,
		force ? "force true" : null
	].find((dial) => dial !== null);
	return against === void 0 ? null : `readOnly true and ${against} contradict each other: leave one of them out`;
}
var init_binding = __esmMin((() => {
	init_duration();
	init_errors();
	init_json();
	init_dial_forms();
	init_as_text();
	init_lane();
}));
//#endregion
//#region src/lanes/resolve.ts
/**
* The lane of a name: the approved project's one, else the user's. A project file that does not count takes nothing
* away, and is only spoken of where it has to do with that name.
*
* Throws a UsageError for a name that is not known, a lane that is broken or not approved, and one that is bound to
* another implementer than the one asked for.
*/
function resolveLane(fleet, name, implementer) {
	const { global, project } = fleet;
	const ofProject = project?.lanes.find((lane) => lane.name === name);
	const ofUser = global.lanes.find((lane) => lane.name === name);
	const [file, lane, source] = project?.approved && ofProject ? [
		project,
		ofProject,
		"project"
	] : [
		global,
		ofUser,
		"global"
	];
	if (!lane) throw project && ofProject ? notApproved(project, name) : unknownLane(fleet, name);
	if (lane.problem !== null) throw new UsageError(`--lane ${asText(name)} cannot be used: ${lane.problem}`, { hint: `mend it in ${file.path}, or set it anew with \`baton lanes set\`` });
	const resolved = {
		name,
		source,
		implementer: lane.implementer,
		dials: { ...lane.dials }
	};
	requireSame(resolved, implementer);
	return {
		lane: resolved,
		notes: source === "global" ? shadowNotes(fleet, ofProject) : []
	};
}
/** What a global lane says where the project may mean another one by that name. */
function shadowNotes({ project, unseen }, ofProject) {
	if (!project) return unseen === null ? [] : [unseen];
	if (ofProject) return [`the project has a lane ${asText(ofProject.name)} too, which is not used: ${project.path} is not approved (review it with \`baton lanes approve\`); the global one is`];
	const fault = faultOf(project);
	return fault === null ? [] : [fault];
}
/** The file may come from anybody: what it says counts once a person has looked at it. */
function notApproved({ path }, name) {
	return new UsageError(`--lane ${asText(name)} stands in ${path}, which is not approved as it is now`, { hint: "in that repository, `baton lanes approve` shows the file and asks" });
}
function unknownLane({ global, project, unseen }, name) {
	const whose = project?.approved ? "project" : "project, not approved";
	const known = [namesIn$1(global, "global"), project && namesIn$1(project, whose)].filter((text) => text !== null);
	const faults = [faultOf(global), project ? faultOf(project) : unseen].filter((text) => text !== null);
	const none = `there are no lanes yet: make one with \`baton lanes set ${asText(name)} --implementer ${DRIVEN_KEYS[0]}\``;
	const lanes = known.length > 0 ? `there are ${known.join(" and ")}` : none;
	return new UsageError(`--lane ${asText(name)} is not known`, { hint: [lanes, ...faults].join("; ") });
}
/** `fast, hard (global: <path>)`; null where there are none. */
function namesIn$1({ path, lanes }, whose) {
	const names = lanes.filter(({ problem }) => problem === null).map(({ name }) => name);
	const more = names.length > MAX_NAMED$1 ? ` and ${names.length - MAX_NAMED$1} more` : "";
	return names.length === 0 ? null : `${names.slice(0, MAX_NAMED$1).join(", ")}${more} (${whose}: ${path})`;
}
function faultOf({ path, problem }) {
	return problem === null ? null : `${path} is not used: ${problem}`;
}
/** Never re-mapped: a lane's dials are chosen for one CLI, and mean something else to another. */
function requireSame({ name, implementer }, asked) {
	if (asked === void 0 || asked === implementer) return;
	throw new UsageError(`--lane ${asText(name)} is bound to ${implementer}, not to ${asText(asked)}`, { hint: DRIVEN_KEYS.includes(implementer) ? `dispatch it to ${implementer}, or choose a lane of ${asked}` : `choose a lane of ${asked}` });
}
/** Throws a UsageError for a lane of a CLI that baton does not start. */
function requireDriven({ name, implementer }) {
	if (DRIVEN_KEYS.includes(implementer)) return;
	const known = IMPLEMENTER_KEYS.includes(implementer) ? "which baton does not drive" : "which is not known";
	throw new UsageError(`--lane ${asText(name)} is bound to ${asText(implementer)}, ${known}`, { hint: `baton drives ${DRIVEN_KEYS.join(" and ")}` });
}
var MAX_NAMED$1;
var init_resolve = __esmMin((() => {
	init_errors();
	init_as_text();
	init_lane();
	MAX_NAMED$1 = 30;
}));
//#endregion
//#region src/dispatch/layered.ts
var layered_exports = /* @__PURE__ */ __exportAll({ layered: () => layered });
/**
* Puts a lane's dials where no flag said anything. What the run may do is one dial, whatever the flag is called that
* says it: with `--dangerously-skip-permissions` a read-only lane is not one any more, and with `--read-only` a lane's
* sandbox is not asked for. Throws a UsageError for a lane of another implementer, or one that does not hold.
*/
function layered(options, lane) {
	requireDriven(lane);
	requireSame(lane, options.implementer);
	const { problem } = readBinding({
		implementer: lane.implementer,
		...lane.dials
	});
	if (problem !== null) throw new UsageError(`--lane ${JSON.stringify(lane.name)} cannot be used: ${problem}`);
	const { model, effort, timeout, readOnly, sandbox } = lane.dials;
	const open = !(options.readOnly || options.dangerouslySkipPermissions || options.sandbox !== void 0);
	const given = {
		...model !== void 0 && options.model === void 0 && { model },
		...effort !== void 0 && options.effort === void 0 && { effort },
		...timeout !== void 0 && options.timeout === void 0 && { timeout },
		...readOnly && open && { readOnly },
		...sandbox !== void 0 && open && { sandbox }
	};
	return {
		options: {
			...options,
			implementer: lane.implementer,
			...given
		},
		lane: {
			name: lane.name,
			source: lane.source,
			dials: DIAL_NAMES.filter((dial) => Object.hasOwn(given, dial))
		}
	};
}
var init_layered = __esmMin((() => {
	init_errors();
	init_binding();
	init_lane();
	init_resolve();
}));
//#endregion
//#region src/trust/project-file.ts
/**
* The bytes of a configuration file of the project, by its path below `top` (`/` between segments); null where there is
* none. Throws a BatonError `project-file` for one that is reached through a link, is no regular file, or is larger
* than 1 MiB: what is approved must be what lies in the project, and reading a FIFO would wait for ever.
*/
function readProjectFile(top, path) {
	refuseLinks(top, path);
	let fd;
	try {
		fd = openSync(join(top, path), constants$1.O_RDONLY | (constants$1.O_NOFOLLOW ?? 0) | (constants$1.O_NONBLOCK ?? 0));
	} catch (error) {
		if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return null;
		throw unusable(path, `cannot be read: ${messageOf$1(error)}`, error);
	}
	try {
		const stat = fstatSync(fd);
		if (!stat.isFile()) throw unusable(path, "is no regular file");
		if (stat.size > MAX_BYTES$2) throw unusable(path, `has ${stat.size} bytes, the limit is ${MAX_BYTES$2}`);
		return readFileSync(fd);
	} finally {
		closeSync(fd);
	}
}
function refuseLinks(top, path) {
	for (let part = path; part !== "."; part = dirname(part)) if (lstatSync(join(top, part), { throwIfNoEntry: false })?.isSymbolicLink()) throw unusable(path, `is reached through the symbolic link ${part}`);
}
function unusable(path, why, cause) {
	return new BatonError("project-file", `${path} ${why}: it is not used`, { cause });
}
var MAX_BYTES$2;
var init_project_file = __esmMin((() => {
	init_errors();
	MAX_BYTES$2 = 1024 * 1024;
}));
//#endregion
//#region src/trust/approval.ts
/** Lower-case hex SHA-256 of a file's bytes: what an approval is bound to. */
function contentHash(bytes) {
	return createHash("sha256").update(bytes).digest("hex");
}
/**
* Whether a person approved exactly these bytes, here or for all worktrees of the repository. A clone has no approval,
* and an edit loses it: the file may come from anybody.
*/
function isApproved(repository, what, bytes) {
	const hash = contentHash(bytes);
	return [repository.gitDir, repository.commonDir].some((dir) => approvedHash(dir, what) === hash);
}
/** Every file of a git directory that may hold an approval: who writes there decides what baton runs. */
function approvalFiles(gitDir) {
	return Object.values(APPROVALS).map((name) => join(gitDir, FOLDER$1, name));
}
/** What cannot be read approves nothing. */
function approvedHash(gitDir, what) {
	try {
		return (readProjectFile(gitDir, `${FOLDER$1}/${APPROVALS[what]}`)?.toString("latin1"))?.trim().toLowerCase() ?? null;
	} catch {
		return null;
	}
}
var FOLDER$1, APPROVALS;
var init_approval = __esmMin((() => {
	init_project_file();
	FOLDER$1 = "delegate-skills";
	APPROVALS = {
		lanes: "project-config.sha256",
		gates: "gates-config.sha256",
		prompts: "prompts.sha256"
	};
}));
//#endregion
//#region src/lanes/keys-twice.ts
/**
* The paths of keys that stand more than once in the same object of a valid JSON text, as keys from the top down. A
* reader takes the last, a person may see the first: what is approved must mean one thing.
*/
function keysTwice(json) {
	const found = [];
	const open = [];
	for (const [token] of json.matchAll(TOKEN)) {
		const level = open.at(-1);
		if (token === "{" || token === "[") open.push({
			keys: token === "{" ? /* @__PURE__ */ new Set() : null,
			key: null
		});
		else if (token === "}" || token === "]") open.pop();
		else if (level?.keys && token === ",") level.key = null;
		else if (level?.keys && level.key === null && token.startsWith("\"")) {
			const key = JSON.parse(token);
			level.key = String(key);
			if (open.length <= DEPTH && level.keys.has(level.key)) found.push(open.map((one) => one.key ?? "[]"));
			level.keys.add(level.key);
		}
	}
	return found;
}
var DEPTH, TOKEN;
var init_keys_twice = __esmMin((() => {
	DEPTH = 3;
	TOKEN = /"(?:[^"\\]+|\\.)*"|[{}[\],]/g;
}));
//#endregion
//#region src/lanes/fleet-file.ts
/** Reads a file of the format `delegate-fleet.v1`. Never throws: whatever is wrong is said in `problem`. */
function parseFleet(bytes) {
	try {
		const text = decode(bytes);
		const document = documentOf(text);
		const twice = keysTwice(text);
		const named = twice.find(({ length }) => length === 1);
		if (named) return broken(`the field ${JSON.stringify(named[0])} stands there twice`);
		return {
			lanes: lanesOf(document, twice),
			problem: null
		};
	} catch (error) {
		return broken(messageOf$1(error));
	}
}
function broken(problem) {
	return {
		lanes: [],
		problem
	};
}
/** The text without its byte order mark. Throws where the bytes are no UTF-8. */
function decode(bytes) {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new Error("it is not UTF-8");
	}
}
/** The whole of a file, with `lanes` an object. Throws an Error that says what is wrong. */
function documentOf(text) {
	const document = parseStrictly(text);
	if (!isObject(document)) throw new Error("it is no JSON object");
	const { version, lanes } = own(document);
	if (version === void 0) throw new Error(`it has no version: write "version": "${FLEET_VERSION}"`);
	if (version !== "delegate-fleet.v1") throw new Error(`its version is ${asText(version)}, not "${FLEET_VERSION}"`);
	if (!isObject(lanes)) throw new Error("its field \"lanes\" is no object");
	return {
		...document,
		lanes
	};
}
function own(document) {
	const fields = new Map(Object.entries(document));
	return {
		version: fields.get("version"),
		lanes: fields.get("lanes")
	};
}
function parseStrictly(text) {
	try {
		return JSON.parse(text);
	} catch (error) {
		const comment = hasComment(text) ? " (comments are not allowed in it)" : "";
		throw new Error(`it is no strict JSON${comment}: ${messageOf$1(error)}`, { cause: error });
	}
}
/** A comment where no string is; a string ends with its line at the latest. */
function hasComment(text) {
	for (const [found] of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|\/[/*]/g)) if (found.startsWith("/")) return true;
	return false;
}
function lanesOf(document, twice) {
	const ambiguous = new Map(twice.filter(([field]) => field === "lanes").map((path) => [path[1] ?? "", path]));
	return Object.entries(document.lanes).map(([name, value]) => {
		const again = ambiguous.get(name);
		const read = readBinding(value);
		const problem = !LANE_NAME.test(name) ? "the name is not letters, digits and . _ -, beginning with a letter or digit" : again ? `${again.map((key) => JSON.stringify(key)).join(".")} stands there twice` : read.problem;
		if (problem !== null || read.binding === null) return {
			name,
			problem: problem ?? "",
			implementer: null,
			dials: null
		};
		return {
			name,
			problem: null,
			...read.binding
		};
	});
}
var FLEET_VERSION;
var init_fleet_file = __esmMin((() => {
	init_json();
	init_errors();
	init_as_text();
	init_binding();
	init_keys_twice();
	init_lane();
	FLEET_VERSION = "delegate-fleet.v1";
}));
//#endregion
//#region src/lanes/fleet.ts
/** Reads both files. Never throws: what cannot be read has a `problem`, and the other file counts all the same. */
function readFleet({ repository, env }) {
	return {
		global: readGlobal(globalFleetPath(env)),
		project: "top" in repository ? readProject(repository) : null,
		unseen: unseenIn(repository)
	};
}
/** Git itself declined to look: a project may be there all the same. */
function unseenIn(repository) {
	if ("top" in repository || repository.problem === "none" || repository.problem === "bare") return null;
	return `the lanes of the project are not used: ${repository.detail}`;
}
/** The user's own file: `delegate-skills/config.json` under `$XDG_CONFIG_HOME` or `~/.config`, on every platform. */
function globalFleetPath(env) {
	const xdg = env["XDG_CONFIG_HOME"];
	return join(xdg && isAbsolute(xdg) ? xdg : join(env["HOME"] || homedir(), ".config"), "delegate-skills", "config.json");
}
function readGlobal(path) {
	return read$1(path, () => readOwnFile(path));
}
function readProject(repository) {
	const file = read$1(join(repository.top, ...PROJECT_FLEET.split("/")), () => readProjectFile(repository.top, PROJECT_FLEET));
	const { bytes } = file;
	return {
		...file,
		repository,
		hash: bytes && contentHash(bytes),
		approved: bytes !== null && isApproved(repository, "lanes", bytes)
	};
}
function read$1(path, bytesOf) {
	try {
		const bytes = bytesOf();
		const content = bytes === null ? {
			lanes: [],
			problem: null
		} : parseFleet(bytes);
		return {
			path,
			present: bytes !== null,
			bytes,
			...content
		};
	} catch (error) {
		return {
			path,
			present: true,
			bytes: null,
			lanes: [],
			problem: messageOf$1(error)
		};
	}
}
/** People keep their settings elsewhere and link to them: their own file may be a link, but must be a file in the end. */
function readOwnFile(path) {
	let fd;
	try {
		fd = openSync(path, constants$1.O_RDONLY | (constants$1.O_NONBLOCK ?? 0));
	} catch (error) {
		if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return null;
		throw error;
	}
	try {
		const stat = fstatSync(fd);
		if (!stat.isFile()) throw new Error("it is no regular file");
		if (stat.size > MAX_BYTES$1) throw new Error(`it has ${stat.size} bytes, the limit is ${MAX_BYTES$1}`);
		return readFileSync(fd);
	} finally {
		closeSync(fd);
	}
}
var PROJECT_FLEET, MAX_BYTES$1;
var init_fleet = __esmMin((() => {
	init_errors();
	init_approval();
	init_project_file();
	init_fleet_file();
	PROJECT_FLEET = ".delegate/config.json";
	MAX_BYTES$1 = 1024 * 1024;
}));
//#endregion
//#region src/lanes/lane-at.ts
var lane_at_exports = /* @__PURE__ */ __exportAll({ laneAt: () => laneAt });
/** The lane of a run that is to be started. Rejects with a UsageError where there is none that can be. */
async function laneAt(request) {
	const { name, implementer, cwd, env, gitTimeoutMs } = request;
	const resolved = resolveLane(readFleet({
		repository: await locateRepository(cwd, env, gitTimeoutMs),
		env
	}), name, implementer);
	requireDriven(resolved.lane);
	return resolved;
}
var init_lane_at = __esmMin((() => {
	init_fleet();
	init_resolve();
}));
//#endregion
//#region src/dispatch/lane.ts
init_environment();
/** Each dial: the option itself, else the lane's. Rejects with a UsageError for a lane that cannot be used. */
async function withLane(options) {
	const { lane, ...own } = await withLaneFound(options);
	if (!lane) return {
		options: own,
		lane: null
	};
	const { layered } = await Promise.resolve().then(() => (init_layered(), layered_exports));
	return layered(own, lane);
}
/** Options whose lane is no mere name. What is needed for it is loaded only where a lane was named. */
async function withLaneFound(options) {
	const { lane, ...own } = options;
	if (lane === void 0) return own;
	if (typeof lane !== "string") return {
		...own,
		lane
	};
	const { laneAt } = await Promise.resolve().then(() => (init_lane_at(), lane_at_exports));
	const found = await laneAt({
		name: lane,
		implementer: options.implementer,
		cwd: checkDirectory(options.cd ?? process.cwd()).realWorkdir,
		env: options.env ?? copyEnv(process.env),
		gitTimeoutMs: options.limits?.gitMs ?? DEFAULT_LIMITS.gitMs
	});
	for (const note of found.notes) options.onWarning?.(note);
	return {
		...own,
		lane: found.lane
	};
}
//#endregion
//#region src/core/state-home.ts
/** Baton's state folder: `$BATON_HOME`, or `baton` under the platform's own (`$XDG_STATE_HOME`, `~/.local/state`, `%LOCALAPPDATA%`). */
function stateHome(env, platform = process.platform) {
	if (env["BATON_HOME"]) return resolve(env["BATON_HOME"]);
	const home = env["HOME"] || homedir();
	if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "baton");
	const xdg = env["XDG_STATE_HOME"];
	return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".local", "state"), "baton");
}
//#endregion
//#region src/process/windows-shim.ts
init_errors();
/**
* On Windows, npm installs an agent CLI as a `.cmd` file. Starting that would put `cmd.exe` in between, for which a
* newline ends the command and quotes mean something else. So the shim is read, and what it starts is started in its
* place. A batch file that is no such shim is refused with an explanation: it is there, but cannot be used.
*/
function resolveShim(file, args, disk) {
	if (!/\.(?:cmd|bat)$/i.test(file)) return {
		file,
		args: [...args]
	};
	const folder = win32.dirname(file);
	const target = targetOf(disk.readText(file), folder);
	if (target === null || !disk.isFile(target)) throw refusal(file, target === null ? "is a batch file but no npm shim" : `points to ${target}, which is not there`);
	if (/\.exe$/i.test(target)) return {
		file: target,
		args: [...args]
	};
	if (!/\.[cm]?js$/i.test(target)) throw refusal(file, `starts ${target}, which is neither a script nor an .exe`);
	const beside = win32.join(folder, "node.exe");
	const node = disk.isFile(beside) ? beside : disk.node;
	if (node === null) throw refusal(file, `starts ${target} with node, and there is no node on PATH`);
	return {
		file: node,
		args: [target, ...args]
	};
}
/** The last path of the line that passes the arguments on: `"%dp0%\node_modules\x\cli.js" %*`. */
function targetOf(shim, folder) {
	const last = [...(shim.split(/\r?\n/).findLast((one) => one.includes("%*")) ?? "").matchAll(/"%(?:~dp0|dp0%)[\\/]?([^"%]+)"/g)].at(-1)?.[1];
	return last === void 0 ? null : win32.resolve(folder, last);
}
function refusal(file, why) {
	return new BatonError("windows-shim", `${file} cannot be started without cmd.exe: it ${why}`, { hint: "install the CLI with npm or its own installer, or put its .exe on PATH" });
}
//#endregion
//#region src/process/launch.ts
init_errors();
init_which();
/** Starts a process as the leader of a group and session of its own. Never throws and never rejects. */
async function launch$1(options) {
	const field = fieldWithNul(options);
	if (field !== null) return { failure: {
		code: "nul-byte",
		message: `${field} holds a NUL byte`
	} };
	try {
		const { file, args } = targetFor(options);
		const child = spawn(file, args, {
			cwd: options.cwd,
			env: options.env,
			stdio: [...options.stdio],
			detached: process.platform !== "win32",
			windowsHide: true,
			windowsVerbatimArguments: options.verbatim ?? false
		});
		if (child.pid !== void 0) {
			child.on("error", () => {});
			return {
				child,
				pid: child.pid
			};
		}
		return { failure: explain(await new Promise((resolve) => child.once("error", resolve)), options) };
	} catch (error) {
		return { failure: explain(error, options) };
	}
}
/** The argument, variable or path that holds a NUL byte, which no system call could pass on; null when none does. */
function fieldWithNul(options) {
	if (hasNul(options.file)) return "the executable";
	if (hasNul(options.cwd)) return "the working directory";
	const argument = options.args.findIndex(hasNul);
	if (argument !== -1) return `argument ${argument + 1}`;
	const variable = Object.entries(options.env).find((pair) => pair.some(hasNul))?.[0];
	return variable === void 0 ? null : `the environment variable ${JSON.stringify(variable)}`;
}
function hasNul(text) {
	return text.includes("\0");
}
function targetFor(options) {
	if (process.platform !== "win32") return {
		file: options.file,
		args: [...options.args]
	};
	return resolveShim(options.file, options.args, {
		readText: (path) => readFileSync(path, "utf8"),
		isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
		node: which("node", options.env)
	});
}
/** The system says ENOENT of the executable also when it is the working directory that is missing. */
function explain(error, options) {
	if (!isDirectory(options.cwd)) return {
		code: "missing-cwd",
		message: `the working directory ${options.cwd} is not there or is no directory`
	};
	return {
		code: error instanceof BatonError ? error.code : systemCode(error) ?? "unknown",
		message: `${options.file} could not be started: ${messageOf$1(error)}`
	};
}
function isDirectory(path) {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
//#endregion
//#region src/process/command-line.ts
init_text();
const MAX_LENGTH = 200;
/** A process's command line for a person: one line of at most 200 characters; its bare name where that is all there is. */
function commandLineOf(pid, platform = process.platform) {
	return truncate(oneLine(platform === "linux" ? fromProc(pid) : fromPs(pid)), MAX_LENGTH) || `process ${pid}`;
}
function fromProc(pid) {
	return read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim() || read(`/proc/${pid}/comm`);
}
function read(path) {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
function fromPs(pid) {
	const { stdout } = spawnSync("ps", [
		"-p",
		String(pid),
		"-o",
		"command="
	], {
		encoding: "utf8",
		env: {
			PATH: "/usr/bin:/bin",
			LC_ALL: "C"
		},
		stdio: [
			"ignore",
			"pipe",
			"ignore"
		],
		timeout: 5e3,
		windowsHide: true
	});
	return stdout ?? "";
}
//#endregion
//#region src/process/marker.ts
init_environment();
init_errors();
/** Looks into `/proc/PID/environ`: Linux only. The entry must be the marker exactly, not begin with it or contain it. */
function carriesMarker(pid, runId) {
	try {
		const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
		if (environment === "") return "unclear";
		return `\0${environment}\0`.includes(`\0BATON_RUN_ID=${runId}\0`) ? "yes" : "no";
	} catch (error) {
		return ["EACCES", "EPERM"].includes(systemCode(error) ?? "") ? "hidden" : "unclear";
	}
}
//#endregion
//#region src/process/open-files.ts
function identityOf$1(fd) {
	const { dev, ino } = fstatSync(fd, { bigint: true });
	return {
		device: dev,
		inode: ino
	};
}
/**
* Whether the process holds one of these files open for writing. One that only reads, such as a person's `tail -f`,
* does not count. Linux only; false where the process is gone or not ours to look at.
*/
function writesTo(pid, files) {
	const folder = `/proc/${pid}/fd`;
	try {
		return readdirSync(folder).some((fd) => isOneOf(`${folder}/${fd}`, files) && isForWriting(pid, fd));
	} catch {
		return false;
	}
}
function isOneOf(link, files) {
	try {
		const target = readlinkSync(link);
		if (!target.startsWith("/") || target.startsWith("/dev/")) return false;
		const { dev, ino } = statSync(link, { bigint: true });
		return files.some((file) => file.device === dev && file.inode === ino);
	} catch {
		return false;
	}
}
const ACCESS_MODE = 3;
function isForWriting(pid, fd) {
	try {
		const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "latin1"))?.[1] ?? "0";
		return (Number.parseInt(flags.slice(-1), 8) & ACCESS_MODE) !== 0;
	} catch {
		return false;
	}
}
//#endregion
//#region src/process/members.ts
/**
* Tells which processes belong to a run. Tool shells live in sessions of their own and daemons lose their parent, so no
* single trace finds them all: it takes the group, the parents, what was seen before, the marker and the open logs.
*/
var Members = class {
	/** Processes of this user whose environment could not be looked into in the last search. */
	hidden = [];
	#traces;
	#platform;
	/** Seen as members at any time: pid and birth. */
	#known = /* @__PURE__ */ new Map();
	constructor(traces, platform) {
		this.#traces = traces;
		this.#platform = platform;
		if (traces.leader.birth !== null) this.#known.set(traces.leader.pid, traces.leader.birth);
	}
	/** A quick look while the run goes on: remembers who descends from it, before anyone can lose their parent. */
	sample(table) {
		this.#collect(table, () => false);
	}
	/**
	* Everyone that is left, by every trace. `sure` is false when something ended or changed during the look, so that a
	* process could have been missed.
	*/
	search(table) {
		let sure = !table.stirred;
		this.hidden = [];
		return {
			found: this.#collect(table, (entry) => {
				if (this.#platform !== "linux" || entry.started < this.#traces.leader.started) return false;
				const marked = carriesMarker(entry.pid, this.#traces.runId);
				if (marked === "unclear") sure = false;
				if (marked === "hidden" && isOurUsers(entry.pid)) this.hidden.push(`the environment of process ${entry.pid} (${commandLineOf(entry.pid)}) could not be read`);
				return marked === "yes" || writesTo(entry.pid, this.#traces.logs);
			}),
			sure
		};
	}
	/**
	* Whether a signal to the whole group reaches nobody else: the leader still lives, or one of the members is known to
	* be ours by more than the group's number, which may have been given anew.
	*/
	ownsGroup(found) {
		const { pid } = this.#traces.leader;
		const members = found.filter((entry) => entry.group === pid);
		if (members.some((entry) => entry.pid === pid)) return true;
		return members.some((entry) => this.#platform === "linux" && carriesMarker(entry.pid, this.#traces.runId) === "yes");
	}
	#collect(table, belongs) {
		const untouchable = ourselvesAndAncestors(table);
		const group = this.#groupIn(table);
		const found = /* @__PURE__ */ new Set();
		for (const entry of table.entries.values()) {
			if (entry.pid <= 1 || untouchable.has(entry.pid)) continue;
			if (this.#known.get(entry.pid) === entry.birth || entry.group === group || belongs(entry)) found.add(entry);
		}
		addDescendants(found, table, untouchable);
		for (const entry of found) this.#known.set(entry.pid, entry.birth);
		return [...found];
	}
	/** The number of the run's process group, or null when another process has been given that number since. */
	#groupIn(table) {
		const { pid, birth } = this.#traces.leader;
		if (pid <= 1) return null;
		const holder = table.entries.get(pid);
		return holder === void 0 || birth === null || holder.birth === birth ? pid : null;
	}
};
function ourselvesAndAncestors(table) {
	const line = /* @__PURE__ */ new Set();
	for (let pid = process.pid; pid > 0 && !line.has(pid); pid = table.entries.get(pid)?.parent ?? 0) line.add(pid);
	return line;
}
function addDescendants(found, table, untouchable) {
	if (found.size === 0) return;
	const children = /* @__PURE__ */ new Map();
	for (const entry of table.entries.values()) {
		const siblings = children.get(entry.parent);
		if (siblings) siblings.push(entry);
		else children.set(entry.parent, [entry]);
	}
	for (const entry of found) for (const child of children.get(entry.pid) ?? []) if (!untouchable.has(child.pid)) found.add(child);
}
/** Other users' processes are hidden as a rule and cannot be the run's, short of a program that changes its user. */
function isOurUsers(pid) {
	try {
		const uid = /^Uid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
		return Number(uid) === process.getuid?.();
	} catch {
		return false;
	}
}
//#endregion
//#region src/process/windows-kill.ts
/** Windows has no signals and no groups: every request to end a process, however gentle, ends its whole tree at once. */
function taskkill(pid) {
	return {
		file: "taskkill",
		args: [
			"/PID",
			String(pid),
			"/T",
			"/F"
		]
	};
}
//#endregion
//#region src/process/tree.ts
init_clock();
const SAMPLE_MS = 1e3;
/** What does not go within this long after the first KILL (a process in the kernel, or another user's) will not go. */
const KILL_LIMIT_MS = 5e3;
/** Looks that are repeated at once because something moved during them. */
const MAX_REPEATS = 3;
/** Some processes are made to die with their parent, but not in the same instant. */
const SECOND_LOOK_MS = 20;
/**
* A process that baton started `detached`, with everything that came of it. While it runs its descendants are sampled;
* at the end all that is left is ended. What clears its environment, leaves its session and redirects its output, all
* between two samples, is not found.
*/
var ProcessTree = class {
	/** Birth of the leader; null where the platform does not tell. */
	birth;
	#pid;
	#platform;
	#members;
	#sampling;
	#lastPids = null;
	/** The last look found no list of processes at all. */
	#blind = false;
	/** Call it right after the start, before the leader can have been reaped. */
	constructor(traces, platform = process.platform) {
		this.#pid = traces.pid;
		this.#platform = platform;
		const entry = platform === "win32" ? null : readEntry(traces.pid, platform);
		this.birth = entry?.birth ?? null;
		const leader = {
			pid: traces.pid,
			birth: this.birth,
			started: entry?.started ?? 0
		};
		this.#members = new Members({
			leader,
			runId: traces.runId,
			logs: traces.logs
		}, platform);
		this.#sampling = setInterval(() => this.#sample(), SAMPLE_MS).unref();
	}
	/**
	* Ends whatever is left: TERM, the grace, KILL, until nothing is found. With nothing left, it costs one look and no
	* wait. Never signals baton itself or an ancestor of it.
	*/
	async end(options) {
		clearInterval(this.#sampling);
		const begun = systemClock.monotonic();
		const swept = /* @__PURE__ */ new Map();
		const asked = /* @__PURE__ */ new Set();
		let killing = null;
		let found = this.#look();
		if (found.length > 0 && !found.some((entry) => entry.pid === this.#pid)) {
			await pause$1(SECOND_LOOK_MS, options.hurry);
			found = this.#look();
		}
		for (let wait = 5; found.length > 0; wait = Math.min(wait * 2, 100)) {
			for (const entry of found) this.#note(entry, swept);
			const now = systemClock.monotonic();
			const left = options.termGraceMs - (now - begun);
			if (killing === null && (left <= 0 || options.hurry.aborted)) [killing, wait] = [now, 5];
			if (killing !== null && now - killing > KILL_LIMIT_MS) break;
			if (killing !== null) this.#signal(found, "SIGKILL");
			else this.#ask(found, asked);
			await pause$1(killing === null ? Math.min(wait, left) : wait, options.hurry);
			found = this.#look();
		}
		const survivors = found.map((entry) => ({
			pid: entry.pid,
			command: this.#commandOf(entry.pid)
		}));
		return {
			swept: [...swept.values()],
			survivors,
			killed: killing !== null,
			gaps: this.#gaps()
		};
	}
	#sample() {
		const pids = readPids(this.#platform);
		if (pids !== null && pids === this.#lastPids) return;
		this.#lastPids = pids;
		if (this.#platform !== "win32") this.#members.sample(readTable(this.#platform));
	}
	#look() {
		for (let repeat = 0;; repeat += 1) {
			const table = this.#platform === "win32" ? null : readTable(this.#platform);
			this.#blind = table === null || table.entries.size === 0;
			if (table === null || this.#blind) return this.#lookBlindly();
			const { found, sure } = this.#members.search(table);
			if (sure || found.length > 0 || repeat === MAX_REPEATS) return found;
		}
	}
	/** Where the system lists no processes, all that can be seen is whether the leader (or its group) is there. */
	#lookBlindly() {
		const there = this.#platform === "win32" ? isAlive(this.#pid, null, "win32") : send(-this.#pid, 0);
		const entry = {
			pid: this.#pid,
			parent: process.pid,
			group: this.#pid,
			birth: "",
			started: 0,
			living: true
		};
		return there ? [entry] : [];
	}
	/** Once each: some programs take a second TERM as an order to skip their cleaning up. */
	#ask(found, asked) {
		const fresh = found.filter((entry) => !asked.has(keyOf$1(entry)));
		for (const entry of fresh) asked.add(keyOf$1(entry));
		const groupIsFresh = !found.some((entry) => entry.group === this.#pid && !fresh.includes(entry));
		this.#signal(fresh, "SIGTERM", groupIsFresh);
	}
	#signal(entries, signal, mayUseGroup = true) {
		if (this.#platform === "win32") {
			const { file, args } = taskkill(this.#pid);
			spawnSync(file, args, {
				stdio: "ignore",
				windowsHide: true,
				timeout: KILL_LIMIT_MS
			});
			return;
		}
		const wholeGroup = mayUseGroup && this.#members.ownsGroup(entries) && send(-this.#pid, signal);
		for (const entry of entries) {
			if (wholeGroup && entry.group === this.#pid) continue;
			if (readEntry(entry.pid, this.#platform)?.birth === entry.birth) send(entry.pid, signal);
		}
	}
	#note(entry, swept) {
		const key = keyOf$1(entry);
		if (entry.pid === this.#pid || swept.has(key)) return;
		swept.set(key, {
			pid: entry.pid,
			command: this.#commandOf(entry.pid)
		});
	}
	#commandOf(pid) {
		return this.#platform === "win32" ? `process ${pid}` : commandLineOf(pid, this.#platform);
	}
	#gaps() {
		if (this.#platform === "linux" && !this.#blind) return this.#members.hidden;
		return [`${this.#platform} shows no environments and open files: a descendant that left its group and parent between two samples could not be found`];
	}
};
function keyOf$1(entry) {
	return `${entry.pid} ${entry.birth}`;
}
/** Sends a signal to a process, or to a group when negative. Returns whether it was taken. */
function send(target, signal) {
	if (!Number.isInteger(target) || Math.abs(target) <= 1) return false;
	try {
		process.kill(target, signal);
		return true;
	} catch {
		return false;
	}
}
function pause$1(ms, hurry) {
	return new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			hurry.removeEventListener("abort", done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		hurry.addEventListener("abort", done, { once: true });
	});
}
//#endregion
//#region src/running/disk.ts
const LOOK_MS = 2e3;
/**
* Watches the free space of the file system that holds `folder` and calls `onLow` once, with a sentence for a person,
* when less than `minFreeBytes` are left: the run has to stop while its result can still be written. Returns the stop.
*/
function watchFreeSpace(folder, minFreeBytes, onLow) {
	const look = () => {
		const free = freeBytes(folder);
		if (free === null || free >= minFreeBytes) return;
		stop();
		onLow(`the disk of ${folder} is nearly full: ${inMegabytes(free)} are free, the limit is ${inMegabytes(minFreeBytes)}`);
	};
	const timer = setInterval(look, LOOK_MS).unref();
	const stop = () => clearInterval(timer);
	look();
	return stop;
}
/** Null for a folder that was removed: it has no space to watch. Asked at once: the thread pool costs a short run a millisecond. */
function freeBytes(folder) {
	try {
		const { bavail, bsize } = statfsSync(folder);
		return bavail * bsize;
	} catch {
		return null;
	}
}
/** For a person: `123.4 MB`. */
function inMegabytes(bytes) {
	return `${(bytes / 1e6).toFixed(1)} MB`;
}
//#endregion
//#region src/running/outcome.ts
init_clock();
/** Measures a run on both clocks from now on. */
function stopwatch(clock) {
	const read = () => ({
		monotonic: clock.monotonic(),
		wall: clock.wall()
	});
	const start = read();
	return () => {
		const now = read();
		return {
			durationMs: Math.max(0, Math.round(now.monotonic - start.monotonic)),
			clockGapMs: clockGap(start, now)
		};
	};
}
/** Puts together what became of a process that was started. */
function outcomeOf(run) {
	const { ending, exit, tree } = run;
	const judged = ending.by === "result" ? null : exit;
	return {
		process: {
			pid: run.pid,
			exit: exitWord(ending, exit),
			timeoutKind: ending.by === "timeout" ? ending.kind : null,
			endedAfterResult: ending.by === "result",
			swept: tree.swept,
			survivors: tree.survivors,
			...run.time
		},
		stream: run.stream,
		code: judged?.code ?? null,
		signal: judged?.signal ?? null,
		launchError: null,
		stopped: run.stopped,
		killed: tree.killed,
		gaps: tree.gaps
	};
}
function exitWord(ending, exit) {
	if (ending.by === "timeout") return "timeout";
	if (ending.by === "abort") return "aborted";
	if (ending.by === "result") return "code";
	if (exit === null) return "unobserved";
	return exit.signal === null ? "code" : "signal";
}
/** A run that never had a process: it could not be started, or was called off before. */
function outcomeWithoutProcess(exit, launchError, time) {
	return {
		process: {
			pid: null,
			exit,
			timeoutKind: null,
			endedAfterResult: false,
			swept: [],
			survivors: [],
			...time
		},
		stream: {
			bytes: 0,
			events: 0,
			unreadable: 0,
			oversize: 0,
			truncated: false
		},
		code: null,
		signal: null,
		launchError,
		stopped: null,
		killed: false,
		gaps: []
	};
}
//#endregion
//#region src/running/output.ts
/** Reads along what the implementer writes into its two logs. */
var Output = class {
	#records;
	#stdout;
	#stderr;
	/** Opens both logs. Throws the system's error when one cannot be opened. */
	constructor(files, maxRecordBytes, listener) {
		const records = new RecordStream(maxRecordBytes, (record) => listener.onRecord(record));
		this.#records = records;
		this.#stdout = new FileFollower(files.events, {
			onBytes: (bytes) => {
				listener.onGrowth();
				records.push(bytes);
			},
			onCutBack: () => records.cutBack()
		});
		this.#stderr = new FileFollower(files.stderr, {
			onBytes: (bytes) => {
				listener.onGrowth();
				listener.onStderr(Uint8Array.from(bytes));
			},
			onCutBack: () => {
				records.truncated = true;
			}
		});
	}
	start() {
		this.#stdout.start();
		this.#stderr.start();
	}
	catchUp() {
		this.#stdout.look();
		this.#stderr.look();
	}
	/** The writers are gone: reads both logs to their ends and closes them. */
	async finish() {
		await Promise.all([this.#stdout.finish(), this.#stderr.finish()]);
		this.#records.end();
		const { records, unreadable, oversize, truncated } = this.#records;
		return {
			bytes: this.#stdout.bytes,
			events: records,
			unreadable,
			oversize,
			truncated
		};
	}
};
//#endregion
//#region src/running/run-files.ts
/** Appending, so that a grandchild with the same log overwrites nothing; never through a link that someone put there. */
const LOG_FLAGS = constants$1.O_WRONLY | constants$1.O_APPEND | constants$1.O_CREAT | (constants$1.O_NOFOLLOW ?? 0);
/** Opens the brief for reading and the logs for appending. Throws the system's error, with nothing left open. */
function openRunFiles(files) {
	const open = [];
	const close = () => {
		for (const fd of open.splice(0)) closeSync(fd);
	};
	const keep = (fd) => {
		open.push(fd);
		return fd;
	};
	try {
		const brief = keep(openSync(files.brief, "r"));
		const events = keep(openSync(files.events, LOG_FLAGS, 384));
		const stderr = keep(openSync(files.stderr, LOG_FLAGS, 384));
		return {
			stdio: [
				brief,
				events,
				stderr
			],
			logs: [identityOf$1(events), identityOf$1(stderr)],
			close
		};
	} catch (error) {
		close();
		throw error;
	}
}
//#endregion
//#region src/running/deadline.ts
init_clock();
init_duration();
/**
* A time limit on the monotonic clock that can be pushed back often and cheaply: pushing moves a number, and the timer
* looks when it wakes whether it is really time. Off when the limit is null. Longer limits than a timer can hold are
* waited for in pieces (2^31 ms would fire at once).
*/
var Deadline = class {
	#limitMs;
	#onExpire;
	#since = 0;
	#timer;
	constructor(limitMs, onExpire) {
		this.#limitMs = limitMs;
		this.#onExpire = onExpire;
	}
	/** Starts to count from now; from now again when it was counting already. */
	restart() {
		this.#since = systemClock.monotonic();
		if (this.#timer === void 0) this.#wait();
	}
	/** Counting, with a limit to reach. */
	get running() {
		return this.#timer !== void 0;
	}
	stop() {
		clearTimeout(this.#timer);
		this.#timer = void 0;
	}
	#wait() {
		if (this.#limitMs === null) return;
		const left = this.#since + this.#limitMs - systemClock.monotonic();
		if (left > 0) {
			this.#timer = setTimeout(() => this.#wait(), Math.min(Math.ceil(left), MAX_TIMER_MS));
			return;
		}
		this.#timer = void 0;
		this.#onExpire();
	}
};
//#endregion
//#region src/running/settling.ts
/**
* Decides when a run is over and why: the first reason wins. The process's own exit is one of them; the clocks are
* the others.
*
* From a terminal record on only the completion grace counts: each later record starts it anew, and the last terminal
* record wins. A wall limit that passes meanwhile is no timeout any more, but then the grace is not started anew
* either: an agent that goes on chattering after its result must not run for ever.
*/
var Settling = class {
	ending;
	/** Set also when the cause came up only after the end: how the CLI was set up stays true. */
	stopped = null;
	#catchUp = () => {};
	/** What one of the caller's own functions threw first. */
	thrown = null;
	#firstEvent;
	#idle;
	#wall;
	#completion;
	#resolve = () => {};
	#over = false;
	#sawRecord = false;
	#sawResult = false;
	#wallPassed = false;
	constructor(clocks) {
		this.ending = new Promise((resolve) => {
			this.#resolve = resolve;
		});
		this.#firstEvent = new Deadline(clocks.firstEvent, () => this.#onFirstEventLimit());
		this.#idle = new Deadline(clocks.idle, () => this.#onIdleLimit());
		this.#wall = new Deadline(clocks.wall, () => this.#onWallLimit());
		this.#completion = new Deadline(clocks.completionGrace, () => this.#onCompletionLimit());
	}
	/**
	* The process was started. `catchUp` reads what has been written until now: a clock must not judge by what was merely
	* not read yet.
	*/
	begin(catchUp) {
		this.#catchUp = catchUp;
		for (const deadline of [
			this.#firstEvent,
			this.#idle,
			this.#wall
		]) deadline.restart();
	}
	/** One of the logs has grown. */
	grew() {
		if (!this.#over && !this.#sawResult) this.#idle.restart();
	}
	sawRecord() {
		this.#sawRecord = true;
		this.#firstEvent.stop();
		if (this.#sawResult) this.#startCompletion();
	}
	/** The record just seen was a terminal one. */
	sawResult() {
		this.#sawResult = true;
		this.#idle.stop();
		this.#startCompletion();
	}
	/**
	* Calls a function of the caller's. What it throws would otherwise surface in some timer and leave the implementer
	* running: it ends the run as an abort does, and is kept for the caller.
	*/
	guard(call) {
		try {
			call();
		} catch (error) {
			this.thrown ??= { error };
			this.settle({ by: "abort" });
		}
	}
	stop(cause) {
		this.stopped ??= cause;
		this.settle({
			by: "stop",
			cause
		});
	}
	/** Later reasons change nothing. */
	settle(ending) {
		if (this.#over) return;
		this.#over = true;
		for (const deadline of [
			this.#firstEvent,
			this.#idle,
			this.#wall,
			this.#completion
		]) deadline.stop();
		this.#resolve(ending);
	}
	#startCompletion() {
		if (!this.#over && !(this.#wallPassed && this.#completion.running)) this.#completion.restart();
	}
	#onFirstEventLimit() {
		this.#catchUp();
		if (!this.#sawRecord) this.settle({
			by: "timeout",
			kind: "first-event"
		});
	}
	#onIdleLimit() {
		this.#catchUp();
		if (!this.#idle.running && !this.#sawResult) this.settle({
			by: "timeout",
			kind: "idle"
		});
	}
	#onWallLimit() {
		this.#catchUp();
		this.#wallPassed = true;
		if (!this.#sawResult) this.settle({
			by: "timeout",
			kind: "wall"
		});
	}
	#onCompletionLimit() {
		this.#catchUp();
		if (!this.#completion.running) this.settle({ by: "result" });
	}
};
//#endregion
//#region src/running/run.ts
init_clock();
init_errors();
/** After the last look found no leader, its exit is due at once. */
const EXIT_NEWS_MS = 1e3;
/**
* Runs one implementer: starts it, reads along, and settles when it exits or a clock, a person or a full disk ends
* it. Then everything that came of it is ended and its logs are read to their ends. It rejects only with what a
* callback of the request threw, and then too only after all of that. Afterwards nothing of the run holds the event loop.
*/
async function runImplementer(request) {
	const time = stopwatch(systemClock);
	if (request.abort.aborted) return outcomeWithoutProcess("aborted", null, time());
	const settling = new Settling(request.clocks);
	const opened = openLogs(request, settling);
	if ("failure" in opened) return outcomeWithoutProcess("not-started", opened.failure, time());
	const { files, output } = opened;
	const launched = await launch$1({
		...request.plan,
		stdio: files.stdio
	});
	files.close();
	if ("failure" in launched) {
		await output.finish();
		return outcomeWithoutProcess("not-started", launched.failure, time());
	}
	const { child, pid } = launched;
	const tree = new ProcessTree({
		pid,
		runId: request.runId,
		logs: files.logs
	});
	const exit = exitOf(child);
	settling.guard(() => request.onStarted?.({
		pid,
		birth: tree.birth
	}));
	settling.begin(() => output.catchUp());
	output.start();
	const ending = await endOf(request, settling, exit);
	const treeEnd = await tree.end({
		termGraceMs: request.clocks.termGrace,
		hurry: request.hurry
	});
	const exited = await soon(exit);
	if (exited === null) child.unref();
	const finished = time();
	const stream = await output.finish();
	if (settling.thrown) throw settling.thrown.error;
	return outcomeOf({
		pid,
		ending,
		exit: exited,
		tree: treeEnd,
		stream,
		stopped: settling.stopped,
		time: finished
	});
}
function openLogs(request, settling) {
	let files;
	try {
		files = openRunFiles(request.files);
		const output = new Output(request.files, request.limits.maxRecordBytes, {
			onRecord: (record) => settling.guard(() => take(record, request, settling)),
			onGrowth: () => settling.grew(),
			onStderr: (chunk) => settling.guard(() => request.onStderr?.(chunk))
		});
		return {
			files,
			output
		};
	} catch (error) {
		files?.close();
		return { failure: {
			code: "run-directory",
			message: messageOf$1(error)
		} };
	}
}
/** What a record means for the run itself, before anyone else hears of it. */
function take(record, request, settling) {
	settling.sawRecord();
	for (const event of request.reader.read(record)) {
		if (event.type === "finished") settling.sawResult();
		if (event.type === "session" && event.sandboxEnabled === false && request.plan.sandboxRequired) settling.stop({
			kind: "sandbox",
			message: "the implementer says that its shell sandbox is off, and this run requires it"
		});
		request.onEvent?.(event);
	}
}
/** Waits for the first reason to end the run. */
async function endOf(request, settling, exit) {
	exit.then(() => settling.settle({ by: "itself" }));
	const onAbort = () => settling.settle({ by: "abort" });
	request.abort.addEventListener("abort", onAbort, { once: true });
	if (request.abort.aborted) onAbort();
	const stopWatching = watchFreeSpace(dirname(request.files.events), request.limits.minFreeBytes, (message) => settling.stop({
		kind: "disk",
		message
	}));
	const ending = await settling.ending;
	stopWatching();
	request.abort.removeEventListener("abort", onAbort);
	return ending;
}
/** Not `close`: there are no pipes, so nobody who holds one open can keep us waiting. */
function exitOf(child) {
	return new Promise((resolve) => {
		child.once("exit", (code, signal) => resolve({
			code,
			signal
		}));
	});
}
/** The exit, or null when the process could not be ended and goes on without us. */
async function soon(exit) {
	let timer;
	const late = new Promise((resolve) => {
		timer = setTimeout(resolve, EXIT_NEWS_MS, null);
	});
	const exited = await Promise.race([exit, late]);
	clearTimeout(timer);
	return exited;
}
//#endregion
//#region src/core/ids.ts
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/**
* A new run id such as `20261130-164533-271-7f3kq9x2`: UTC time first, so that ids sort by time;
* forty random bits after it, so that runs of the same millisecond do not meet.
*/
function newRunId(now = /* @__PURE__ */ new Date()) {
	return `${now.toISOString().replace(/[-:]/g, "").replace("T", "-").replace(".", "-").replace("Z", "")}-${[...randomBytes(8)].map((byte) => ALPHABET[byte & 31]).join("")}`;
}
/** A session id that a flag can carry: one plain word, which no shell takes for anything else. */
const SESSION_ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;
//#endregion
//#region src/rundir/lock.ts
init_errors();
init_json();
init_artifact();
init_state_folder();
const HOLDER = "holder.json";
const ATTEMPTS = 400;
const PAUSE_MS = 5;
/**
* Takes the lock at `path`, or returns the living holder that has it. Null means that it is ours.
*
* A lock is a folder with a `holder.json`, filled elsewhere and renamed into place: a rename onto a folder that is not
* empty fails on every platform and file system, so that a lock appears whole and for one taker only.
*
* The lock of a dead holder is removed under a second lock, `<path>.takeover`: without it, a slow taker that had read
* the dead holder's name would remove the lock that a faster one has just put there.
*/
function takeLock(path, holder) {
	const prepared = `${path}.${randomBytes(6).toString("hex")}.tmp`;
	mkdirSync(prepared, { mode: 448 });
	let taken = false;
	try {
		writeFileSync(join(prepared, HOLDER), toJsonFile(holder), {
			flag: "wx",
			mode: 384
		});
		for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
			taken = putInPlace(prepared, path);
			if (taken) return null;
			const living = livingHolder(path);
			if (living) return living;
			if (!removeDead(path, holder)) pause();
		}
	} finally {
		if (!taken) rmSync(prepared, {
			recursive: true,
			force: true
		});
	}
	throw new BatonError("lock", `the lock ${path} could not be taken: others keep taking it over`, { hint: `try again; if nothing runs, remove ${path}` });
}
/** Gives the lock back, if it is still this run's. Never throws: a lock that stays is taken over once we are gone. */
function dropLock(path, runId) {
	const found = look(path);
	if (found !== "empty" && found !== "damaged" && found.runId === runId) removeHolder(path);
	removeEmpty(path);
}
/** Who holds the lock now and lives; null for a free lock and a dead holder. */
function livingHolder(path) {
	const found = look(path);
	if (found === "empty" || found === "damaged") return null;
	return isAlive(found.process.pid, found.process.birth) ? found : null;
}
function putInPlace(prepared, path) {
	try {
		renameSync(prepared, path);
		return true;
	} catch (error) {
		const found = lstatSync(path, { throwIfNoEntry: false });
		if (found?.isDirectory() || !found && isTaken(error)) return false;
		if (!found) throw error;
		throw new BatonError("lock", `${path} is not a folder that baton made: it is left untouched`, { hint: "look at it, and remove it if nobody needs it" });
	}
}
/** What a rename onto a folder that is not empty answers: POSIX the first two, Windows the others. */
function isTaken(error) {
	return [
		"ENOTEMPTY",
		"EEXIST",
		"EPERM",
		"EACCES"
	].includes(systemCode(error) ?? "");
}
/** Removes what a dead holder left. False where somebody else is about to do it. */
function removeDead(path, taker) {
	const guard = `${path}.takeover`;
	if (takeLock(guard, taker) !== null) return false;
	try {
		const found = look(path);
		if (found !== "empty" && (found === "damaged" || !isAlive(found.process.pid, found.process.birth))) removeHolder(path);
		removeEmpty(path);
		return true;
	} finally {
		dropLock(guard, taker.runId);
	}
}
function removeHolder(path) {
	try {
		unlinkSync(join(path, HOLDER));
	} catch {}
}
/** Fails, as it should, where somebody has just put a lock there. */
function removeEmpty(path) {
	try {
		rmdirSync(path);
	} catch {}
}
/** `empty`: free, or left by a crash while it was given back. `damaged`: a lock appears whole, so a power cut did that. */
function look(path) {
	const text = readRegularFile(join(path, HOLDER));
	if (text === null) return "empty";
	const record = parseRecord(text);
	const identity = readIdentity(record?.["process"]);
	const runId = stringOf(record?.["runId"]);
	if (!record || !identity || runId === null) return "damaged";
	return {
		runId,
		process: identity,
		since: stringOf(record["since"]) ?? ""
	};
}
function pause() {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
//#endregion
//#region src/rundir/reuse.ts
init_errors();
init_layout();
init_state_folder();
const FOLDERS$1 = new Set([
	ARTIFACTS.objects,
	ARTIFACTS.snapshot,
	ARTIFACTS.gateOutput
]);
/**
* Makes a directory that exists ready for a new run: refuses one in use by a living run and one where something that
* is no artifact has an artifact's name, then removes the artifacts of an earlier run. Everything is looked at before
* anything is removed, so that a refused directory is untouched.
*
* `occupy` runs while the directory is claimed; what it writes must make `liveness` see the new run, so that of two
* runs that ask for one directory at once the second is refused.
*/
function reuseDirectory(dir, holder, occupy) {
	const claim = join(dir, CLAIM);
	const other = takeLock(claim, holder);
	if (other) throw inUse(dir, other.runId, other.since);
	try {
		refuseLiving(dir);
		for (const name of staleNames(dir)) rmSync(join(dir, name), { recursive: FOLDERS$1.has(name) });
		return occupy();
	} finally {
		dropLock(claim, holder.runId);
	}
}
/** The names to remove, once all of them were found to be what baton makes. */
function staleNames(dir) {
	const names = readdirSync(dir).filter(isTemporaryName);
	for (const name of Object.values(ARTIFACTS)) {
		const found = lstatSync(join(dir, name), { throwIfNoEntry: false });
		if (!found) continue;
		refuseOddKind(join(dir, name), found, FOLDERS$1.has(name));
		names.push(name);
	}
	const folder = names.find((name) => FOLDERS$1.has(name));
	if (folder !== void 0 && !heldRun(dir)) throw new UsageError(`${join(dir, folder)} was not made by baton, which would need this name: it is left untouched`, { hint: "choose another --out-dir: an empty directory, or one that baton is to make" });
	return names;
}
/** A link leads to a file of somebody else's, and the rest is nothing that baton ever makes. */
function refuseOddKind(path, found, folder) {
	if (folder ? found.isDirectory() : found.isFile()) return;
	throw new UsageError(`${path} is ${found.isSymbolicLink() ? "a symbolic link" : folder ? "no folder" : "no regular file"}, where an artifact of the run would go: it is left untouched`, { hint: "remove it, or choose another --out-dir" });
}
function heldRun(dir) {
	return readLive(dir) !== null || readRecord(join(dir, ARTIFACTS.result))?.["schema"] === "delegate-relay.result.v1";
}
function refuseLiving(dir) {
	if (liveness(dir) !== "running") return;
	const live = readLive(dir);
	throw inUse(dir, live?.runId ?? "unknown", live?.startedAt ?? "");
}
function inUse(dir, runId, since) {
	return new UsageError(`${dir} is in use by run ${runId}, which is under way since ${since}`, { hint: "wait until it has ended, or choose another --out-dir" });
}
//#endregion
//#region src/rundir/runs.ts
init_state_folder();
const POINTER = ".json";
/** Leaves a pointer in the state folder to a run with a directory of its caller's choice. Throws the system's error. */
function recordRunElsewhere(tree, run) {
	const folder = runsFolder(tree.stateHome, tree.treeTop);
	makePrivateFolder(folder);
	writeRecord(join(folder, `${run.id}${POINTER}`), {
		runId: run.id,
		path: run.path
	});
}
//#endregion
//#region src/rundir/directory.ts
init_errors();
init_state_folder();
/**
* Makes the directory of a run, mode 0700, with `run.json` and the reserve in it.
* Throws a UsageError for a directory that cannot be made or must not be used; then nothing in it was touched.
*/
function createRunDirectory(request) {
	const made = request.outDir === null ? inStateFolder(request) : inOutDir(request, resolve(request.outDir));
	createReserve(made.path);
	const close = () => {
		freeReserve(made.path);
		made.live.close();
	};
	return {
		id: request.runId,
		...made,
		close
	};
}
function inStateFolder(request) {
	const path = join(runsFolder(request.stateHome, request.treeTop), request.runId);
	try {
		makePrivateFolder(dirname(path));
		mkdirSync(path, { mode: 448 });
		return {
			path,
			created: true,
			live: LiveRecord.start(path, request),
			unrecorded: null
		};
	} catch (error) {
		throw new UsageError(`the run directory ${path} cannot be made: ${messageOf$1(error)}`, {
			hint: "name a directory with --out-dir, or set BATON_HOME to a folder that can be written",
			cause: error
		});
	}
}
function inOutDir(request, path) {
	const created = makeOutDir(path);
	const holder = {
		runId: request.runId,
		process: thisProcess(),
		since: (/* @__PURE__ */ new Date()).toISOString()
	};
	return {
		path,
		created,
		live: usable(path, () => reuseDirectory(path, holder, () => LiveRecord.start(path, request))),
		unrecorded: recordInState(request, path)
	};
}
/** True where it was not there before. */
function makeOutDir(path) {
	const found = usable(path, () => statSync(path, { throwIfNoEntry: false }));
	if (found && !found.isDirectory()) throw new UsageError(`--out-dir ${path} is not a directory`);
	if (!found) usable(path, () => makePrivateFolder(path));
	return found === void 0;
}
/** What the system refuses here is the caller's choice of a directory. */
function usable(path, use) {
	try {
		return use();
	} catch (error) {
		if (error instanceof UsageError || systemCode(error) === void 0) throw error;
		throw new UsageError(`--out-dir ${path} cannot be used: ${messageOf$1(error)}`, { cause: error });
	}
}
function recordInState(request, path) {
	try {
		recordRunElsewhere(request, {
			id: request.runId,
			path
		});
		return null;
	} catch (error) {
		return `this run is not recorded, so commands will not find it by its id: the state folder ${request.stateHome} cannot be written: ${messageOf$1(error)}`;
	}
}
//#endregion
//#region src/rundir/sessions.ts
init_errors();
init_json();
init_state_folder();
/**
* Remembers a session, by its id and as the last one of its implementer in its directory.
* Never throws: returns null, or why it could not be remembered.
*/
function recordSession({ stateHome, ...session }) {
	const record = {
		...session,
		at: (/* @__PURE__ */ new Date()).toISOString()
	};
	try {
		makePrivateFolder(folderOf(stateHome, record.implementer));
		writeRecord(pathById(stateHome, record.implementer, record.sessionId), record);
		writeRecord(pathByCwd(stateHome, record.implementer, record.cwd), record);
		return null;
	} catch (error) {
		return `the session is not recorded, so --resume-last will not find it: the state folder ${stateHome} cannot be written: ${messageOf$1(error)}`;
	}
}
/** The last recorded session of an implementer in a directory (its real path); null where there is none. */
function lastSession(where) {
	const record = readSession(pathByCwd(where.stateHome, where.implementer, where.cwd));
	return record?.cwd === where.cwd ? record : null;
}
/** The session with this id; null where baton has no record of it, as for one that was started by hand. */
function findSession(which) {
	const record = readSession(pathById(which.stateHome, which.implementer, which.sessionId));
	return record?.sessionId === which.sessionId ? record : null;
}
function folderOf(stateHome, implementer) {
	return join(stateHome, "sessions", implementer);
}
function pathById(stateHome, implementer, sessionId) {
	return join(folderOf(stateHome, implementer), `id-${shortHash(sessionId)}.json`);
}
function pathByCwd(stateHome, implementer, cwd) {
	return join(folderOf(stateHome, implementer), `last-${shortHash(cwd)}.json`);
}
function readSession(path) {
	const record = readRecord(path) ?? {};
	const [implementer, sessionId, cwd, runId, at] = [
		"implementer",
		"sessionId",
		"cwd",
		"runId",
		"at"
	].map((name) => stringOf(record[name]));
	const profile = profileOf(record["profile"]);
	if (!implementer || !sessionId || !cwd || !runId || !at || !profile) return null;
	return {
		implementer,
		sessionId,
		cwd,
		runId,
		profile,
		at
	};
}
function profileOf(value) {
	return value === "write" || value === "read-only" || value === "bypass" ? value : null;
}
//#endregion
//#region src/rundir/tree-lock.ts
init_errors();
init_state_folder();
/**
* Takes the lock of a working tree. Throws a UsageError that names the run which has it. The lock of a run that was
* killed is taken over.
*
* It lies in the state folder, or, where that cannot be written, in a folder of the user's own under the system's
* temporary folder. Who takes one of the two looks into the other afterwards: so two runs never both go on, though one
* of them is shut out of the state folder.
*/
function acquireTreeLock(request) {
	const name = `${treeKey(request.treeTop)}.lock`;
	const inState = join(request.stateHome, "locks", name);
	const inTemp = join(temporaryLocks(), name);
	const holder = {
		runId: request.runId,
		process: thisProcess(),
		since: (/* @__PURE__ */ new Date()).toISOString()
	};
	const taken = takeInState(request, inState, holder) ? inState : takeInTemp(request, inTemp, holder);
	const other = taken === inState ? holderInTemp(inTemp) : holderIfReadable(inState);
	if (other) {
		dropLock(taken, request.runId);
		throw held(request.treeTop, other);
	}
	return { release: () => dropLock(taken, request.runId) };
}
/** False where the state folder cannot be written. */
function takeInState(request, path, holder) {
	let other;
	try {
		makePrivateFolder(join(request.stateHome, "locks"));
		other = takeLock(path, holder);
	} catch (error) {
		if (error instanceof BatonError) throw error;
		return false;
	}
	if (other) throw held(request.treeTop, other);
	return true;
}
function takeInTemp(request, path, holder) {
	const folder = temporaryLocks();
	let other;
	try {
		makePrivateFolder(folder);
		if (!isOwnFolder(folder)) throw new Error(`${folder} is not a folder that only this user can enter`);
		other = takeLock(path, holder);
	} catch (error) {
		if (error instanceof BatonError) throw error;
		throw new UsageError(`the working tree ${request.treeTop} cannot be locked: ${messageOf$1(error)}`, {
			hint: "set BATON_HOME to a folder that can be written",
			cause: error
		});
	}
	if (other) throw held(request.treeTop, other);
	return path;
}
function temporaryLocks() {
	return join(tmpdir(), `baton-locks-${process.getuid?.() ?? "user"}`);
}
/** Whoever else can write there could hold up every run of this user's. */
function holderInTemp(path) {
	return isOwnFolder(temporaryLocks()) ? holderIfReadable(path) : null;
}
/** The other of the two places: where it cannot be looked into, our own lock has to do. */
function holderIfReadable(path) {
	try {
		return livingHolder(path);
	} catch {
		return null;
	}
}
/** A real folder, this user's, closed to others. Windows has a temporary folder for each user. */
function isOwnFolder(path) {
	const found = lstatSync(path, { throwIfNoEntry: false });
	if (!found?.isDirectory()) return false;
	return process.getuid === void 0 || found.uid === process.getuid() && (found.mode & 63) === 0;
}
function held(treeTop, { runId, since, process }) {
	return new UsageError(`a write run is at work in ${treeTop}: run ${runId}, since ${since} (process ${process.pid})`, { hint: "wait until it has ended, or give this run a working tree of its own: git worktree add <path>" });
}
//#endregion
//#region src/running/child-environment.ts
init_environment();
/**
* The implementer's environment: the caller's, less what ties it to another agent session or another repository.
* Everything else stays, credentials among it: a blanket removal of `CLAUDE_CODE_*` would sign people out.
*/
function childEnvironment(env, runId, platform = process.platform) {
	return {
		...withoutVariables(env, ["CLAUDECODE", ...GIT_LOCAL_VARIABLES], platform),
		[RUN_MARKER]: runId,
		[DEPTH_MARKER]: "1"
	};
}
//#endregion
//#region src/dispatch/clean-environment.ts
init_environment();
init_errors();
/** What a program needs to run at all, and where the CLI has its home. No credentials, and nothing that may hold one. */
const BARE = [
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"SHELL",
	"LANG",
	"LANGUAGE",
	"LC_ALL",
	"LC_CTYPE",
	"TZ",
	"TERM",
	"TMPDIR",
	"CODEX_HOME",
	"XDG_CONFIG_HOME",
	"XDG_CACHE_HOME",
	"XDG_DATA_HOME"
];
const BARE_ON_WINDOWS = [
	"SYSTEMROOT",
	"SYSTEMDRIVE",
	"COMSPEC",
	"PATHEXT",
	"TEMP",
	"TMP",
	"USERPROFILE",
	"USERNAME",
	"APPDATA",
	"LOCALAPPDATA",
	"PROGRAMFILES",
	"PROGRAMDATA"
];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** The names of `--keep-env`, each once. Throws a UsageError for a name that is none, or that is not set. */
function checkKeepEnv(names, cleanEnv, env) {
	if (names.length > 0 && !cleanEnv) throw new UsageError("--keep-env needs --clean-env: without it every variable is kept");
	for (const name of names) {
		if (!NAME.test(name)) throw new UsageError(`--keep-env ${JSON.stringify(name)} is not the name of a variable: write letters, digits and _, not beginning with a digit`);
		if (readVariable(env, name) === void 0) throw new UsageError(`--keep-env ${name} is not set in this environment: set it, or leave it out`);
	}
	return [...new Set(names)];
}
/** The environment of a run with `--clean-env`: made from nothing, with what is kept by name. */
function cleanEnvironment(env, keep, platform = process.platform) {
	const names = [
		...BARE,
		...platform === "win32" ? BARE_ON_WINDOWS : [],
		...keep
	];
	const clean = {};
	for (const name of names) {
		const value = readVariable(env, name, platform);
		if (value !== void 0) clean[name] = value;
	}
	return clean;
}
//#endregion
//#region src/dispatch/resume.ts
init_errors();
/**
* Which session goes on. Baton's own record of the directory comes first: the implementer's idea of "last" may be
* another person's or another run's. Without a record it is left to a CLI that can be trusted with it.
*/
function chooseSession(request, stateHome) {
	const implementer = request.implementer.id;
	if (request.session !== null) {
		const recorded = findSession({
			stateHome,
			implementer,
			sessionId: request.session
		});
		if (recorded && recorded.cwd !== request.realWorkdir) throw new UsageError(`session ${request.session} was started in ${recorded.cwd}, not in ${request.realWorkdir}`, { hint: `go on there with --cd ${JSON.stringify(recorded.cwd)}` });
		return goOn(request, request.session, recorded);
	}
	if (!request.resumeLast) return {
		resume: null,
		profile: request.profile,
		warning: null
	};
	const last = lastSession({
		stateHome,
		implementer,
		cwd: request.realWorkdir
	});
	if (last && SESSION_ID_FORM.test(last.sessionId)) return goOn(request, last.sessionId, last);
	if (request.implementer.capabilities.resumeUnrecorded) return {
		resume: { kind: "last" },
		profile: request.profile,
		warning: null
	};
	throw new UsageError(`--resume-last: baton has no record of a session of ${implementer} in ${request.realWorkdir}`, { hint: "name the session with --session <id>" });
}
/** With the profile that was recorded, for implementers whose sessions keep theirs. A bypass is never taken over unsaid. */
function goOn(request, id, recorded) {
	const resume = {
		kind: "session",
		id
	};
	if (!(request.implementer.capabilities.keepsProfile && !request.profileAsked) || recorded === null) return {
		resume,
		profile: request.profile,
		warning: null
	};
	if (recorded.profile !== "bypass") return {
		resume,
		profile: recorded.profile,
		warning: null
	};
	return {
		resume,
		profile: "write",
		warning: `session ${id} had full access, and goes on without it: ask for it again with --sandbox danger-full-access`
	};
}
//#endregion
//#region src/dispatch/temp-folder.ts
init_environment();
init_errors();
/** Makes it below the system's own, where paths are short (sockets need that) and a killed baton leaves no litter for ever. */
function makeTempFolder(env) {
	const parent = readVariable(env, process.platform === "win32" ? "TEMP" : "TMPDIR") || tmpdir();
	try {
		const path = mkdtempSync(join(realpathSync(parent), "baton-tmp-"));
		return {
			path,
			remove: () => remove(path)
		};
	} catch (error) {
		throw new UsageError(`no temp folder for the run can be made in ${parent}: ${messageOf$1(error)}`, {
			hint: "set TMPDIR to a folder that can be written",
			cause: error
		});
	}
}
function remove(path) {
	try {
		rmSync(path, {
			recursive: true,
			force: true
		});
	} catch {}
}
//#endregion
//#region src/dispatch/open-run.ts
init_clock();
init_errors();
init_artifact();
/** Takes the tree lock, makes the run directory, and keeps the brief. On failure the lock is given back. */
function openRun(asked, repository) {
	const home = stateHome(asked.env);
	const id = newRunId();
	const treeTop = "top" in repository ? repository.top : asked.realWorkdir;
	const { resume, profile, warning } = chooseSession(asked, home);
	const request = {
		...asked,
		profile
	};
	refuseTreeAsRunDirectory(request, treeTop);
	const held = [];
	const release = () => held.splice(0).reverse().forEach((giveBack) => giveBack());
	try {
		if (request.profile !== "read-only") {
			const lock = acquireTreeLock({
				stateHome: home,
				treeTop,
				runId: id
			});
			held.push(() => lock.release());
		}
		const directory = createRunDirectory({
			stateHome: home,
			treeTop,
			outDir: request.outDir,
			runId: id
		});
		held.push(() => directory.close());
		const temp = ownTemp(request);
		if (temp) held.push(() => temp.remove());
		try {
			return begin(request, repository, directory, {
				id,
				home,
				resume,
				warning,
				temp,
				release
			});
		} catch (error) {
			throw unwritable(directory.path, error);
		}
	} catch (error) {
		release();
		throw error;
	}
}
function ownTemp({ implementer, profile, env }) {
	return implementer.capabilities.ownTemp && profile === "write" ? makeTempFolder(env) : null;
}
function begin(request, repository, directory, { id, home, resume, warning, temp, release }) {
	const { path } = directory;
	const { implementer } = request;
	const env = childEnvironment(request.cleanEnv ? cleanEnvironment(request.env, request.keepEnv) : request.env, id);
	const planLaunch = (binary, protect, features) => implementer.plan({
		...request,
		binary,
		cwd: request.workdir,
		runDir: path,
		env,
		platform: process.platform,
		resume,
		protect,
		features,
		tempDir: temp?.path ?? null,
		text: null
	});
	const plan = planLaunch(implementer.id, protectedPaths(repository, path, []), []);
	writeArtifact(path, "brief", request.brief);
	writeArtifact(path, "events", "");
	writeArtifact(path, "stderr", "");
	writePlanned(path, plan, null);
	return {
		id,
		directory: path,
		request,
		repository,
		env,
		resume,
		startedAt: new Date(systemClock.wall()),
		startedMonotonic: systemClock.monotonic(),
		reader: implementer.reader(),
		live: directory.live,
		known: {
			version: null,
			plan,
			pid: null
		},
		gaps: [],
		warnings: [
			...warning === null ? [] : [warning],
			...directory.unrecorded === null ? [] : [directory.unrecorded],
			...outsideGit(request, repository)
		],
		keepSession: (sessionId) => {
			if (request.ephemeral || request.unrecorded) return;
			recordSession({
				stateHome: home,
				implementer: implementer.id,
				cwd: request.realWorkdir,
				sessionId,
				runId: id,
				profile: request.profile
			});
		},
		planLaunch,
		close: release
	};
}
/** Said before the CLI itself refuses, which it does in a line on stderr. */
function outsideGit({ implementer, skipGitRepoCheck }, repository) {
	if ("top" in repository || skipGitRepoCheck || !implementer.capabilities.skipGitRepoCheck) return [];
	return [`${implementer.id} refuses to work outside of a git repository, unless the directory is trusted: --skip-git-repo-check lets it`];
}
/** What the system refuses here (a full disk, a limit of the size of files) is no fault of baton's. */
function unwritable(path, error) {
	if (systemCode(error) === void 0) return error;
	return new BatonError("run-directory", `the run directory ${path} cannot be written: ${messageOf$1(error)}`, {
		hint: "nothing was dispatched; make room, or name another directory with --out-dir",
		cause: error
	});
}
/** The sandbox keeps the run directory read-only: one that holds the working tree would leave nothing to write. */
function refuseTreeAsRunDirectory({ profile, outDir, realWorkdir }, treeTop) {
	if (profile === "read-only" || outDir === null) return;
	const real = existsSync(outDir) ? realpathSync(outDir) : outDir;
	const holder = [realWorkdir, treeTop].find((path) => path === real || path.startsWith(`${real}${sep}`));
	if (holder === void 0) return;
	throw new UsageError(`--out-dir ${JSON.stringify(outDir)} holds the working tree ${holder}: the implementer may not write in its run directory`, { hint: "name a directory of its own" });
}
/** Never read back: what a launch is given is what was planned for it. What `written` already had is not written again. */
function writePlanned(directory, plan, written) {
	for (const { name, content } of plan.artifacts) {
		if (written?.artifacts.some((old) => old.name === name && old.content === content)) continue;
		writeArtifact(directory, name, content);
	}
}
/** What the sandbox must keep read-only: every git directory, and the run's own records. */
function protectedPaths(repository, directory, nestedGitDirs) {
	const own = "top" in repository ? [repository.gitDir, repository.commonDir] : [];
	return [...new Set([
		...own,
		...nestedGitDirs,
		realpathSync(directory)
	])];
}
//#endregion
//#region src/dispatch/launch.ts
init_clock();
init_layout();
/** Starts the implementer and follows it to its end. Null where the preflight or an abort came first. */
async function launch(run, look, options, abort) {
	const { probe } = look;
	if (abort.cause() !== null || probe.binary === null || probe.answer === "missing" || probe.answer === "hung") return null;
	const first = await launchBinary(run, look, {
		...probe,
		binary: probe.binary
	}, options, abort);
	if (first.launchError?.code !== "ENOENT" || abort.cause() !== null) return first;
	const again = await run.request.implementer.probe({
		env: run.env,
		cwd: run.request.workdir,
		profile: run.request.profile,
		platform: process.platform,
		limitMs: run.request.limits.preflightMs,
		signal: abort.signal,
		stateHome: stateHome(run.request.env)
	});
	if (again.binary === null || again.answer === "hung") return first;
	run.known.version = again.version;
	return launchBinary(run, look, {
		...again,
		binary: again.binary
	}, options, abort);
}
function launchBinary(run, look, { binary, features = [] }, options, abort) {
	const { request } = run;
	const plan = run.planLaunch(binary, protectedPaths(run.repository, run.directory, look.before?.nestedGitDirs ?? []), features);
	for (const gap of plan.gaps ?? []) {
		run.gaps.push(gap);
		options.onWarning?.(gap);
	}
	writePlanned(run.directory, plan, run.known.plan);
	run.known.plan = plan;
	return runImplementer({
		plan,
		runId: run.id,
		files: {
			brief: artifactPath(run.directory, "brief"),
			events: artifactPath(run.directory, "events"),
			stderr: artifactPath(run.directory, "stderr")
		},
		reader: run.reader,
		clocks: {
			...request.clocks,
			termGrace: request.limits.termGraceMs
		},
		limits: {
			maxRecordBytes: request.limits.maxRecordBytes,
			minFreeBytes: request.limits.minFreeBytes
		},
		abort: abort.signal,
		hurry: abort.hurry,
		onEvent: (event) => onEvent(run, event, options),
		...options.onStderr ? { onStderr: options.onStderr } : {},
		onStarted: (started) => {
			run.known.pid = started.pid;
			run.live.started(started);
		}
	});
}
/** The session is recorded as soon as it is known: a run that is killed can be resumed all the same. */
function onEvent(run, event, options) {
	if (event.type === "session") run.keepSession(event.sessionId);
	options.onEvent?.(event);
}
/** How long the run took so far, in milliseconds. */
function elapsed(run) {
	return systemClock.monotonic() - run.startedMonotonic;
}
//#endregion
//#region src/git/config-entries.ts
/** Parses `git config --list -z`. */
function parseConfigList(output) {
	return output.toString("latin1").split("\0").filter((record) => record !== "").map((record) => {
		const lineEnd = record.indexOf("\n");
		const key = lineEnd < 0 ? record : record.slice(0, lineEnd);
		const first = key.indexOf(".");
		const last = key.lastIndexOf(".");
		return {
			section: key.slice(0, first),
			subsection: last > first ? key.slice(first + 1, last) : null,
			name: key.slice(last + 1),
			value: lineEnd < 0 ? null : record.slice(lineEnd + 1)
		};
	});
}
/** The last value of a setting without subsection; undefined where it is not set. */
function settingOf(entries, section, name) {
	return entries.findLast((entry) => entry.section === section && entry.subsection === null && entry.name === name)?.value;
}
/** The entries as a configuration file, in their order. */
function formatConfig(entries) {
	const text = entries.map(({ section, subsection, name, value }) => {
		return `${subsection === null ? `[${section}]` : `[${section} "${subsection.replace(/["\\]/g, "\\$&")}"]`}\n\t${name}${value === null ? "" : ` = ${quote$1(value)}`}\n`;
	});
	return Buffer.from(text.join(""), "latin1");
}
function quote$1(value) {
	return `"${value.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t").replace(/[\b]/g, "\\b")}"`;
}
//#endregion
//#region src/git/frozen.ts
init_environment();
init_errors();
init_trusted();
/** Sections that would bind the copy to the original, reach the network, or change what output looks like. */
const DROPPED_SECTIONS = new Set([
	"alias",
	"credential",
	"diff",
	"extensions",
	"fsmonitor",
	"gc",
	"include",
	"includeif",
	"maintenance",
	"remote",
	"status",
	"submodule",
	"trace2"
]);
const DROPPED_CORE = new Set([
	"alternaterefscommand",
	"attributesfile",
	"bare",
	"excludesfile",
	"fsmonitor",
	"hookspath",
	"repositoryformatversion",
	"sharedrepository",
	"splitindex",
	"sshcommand",
	"worktree"
]);
/** Reads everything that decides how git sees the working tree. One git process. */
async function freeze(repository, options) {
	const answer = await trustedGit(repository, [
		"config",
		"--list",
		"-z"
	], options);
	if (answer.code !== 0) throw new BatonError("git-config", `the configuration of this repository cannot be read: ${answer.stderr.trim()}`);
	const settings = parseConfigList(answer.stdout);
	const userFile = (name, fallback) => {
		const path = settingOf(settings, "core", name);
		return readIfThere(typeof path === "string" ? expandPath(path, repository.top, options.env) : join(configHome(options.env), "git", fallback));
	};
	return {
		repository,
		settings: settings.filter(({ section, name }) => !DROPPED_SECTIONS.has(section) && !(section === "core" && DROPPED_CORE.has(name))),
		excludes: userFile("excludesfile", "ignore"),
		attributes: userFile("attributesfile", "attributes"),
		infoExclude: readIfThere(join(repository.commonDir, "info", "exclude")),
		infoAttributes: readIfThere(join(repository.commonDir, "info", "attributes")),
		ignoreCase: settingOf(settings, "core", "ignorecase") === "true"
	};
}
function readIfThere(path) {
	try {
		return readFileSync(path);
	} catch (error) {
		if ([
			"ENOENT",
			"ENOTDIR",
			"EISDIR",
			"EACCES"
		].includes(systemCode(error) ?? "")) return null;
		throw error;
	}
}
function configHome(env) {
	return readVariable(env, "XDG_CONFIG_HOME") || join(readVariable(env, "HOME") ?? "/", ".config");
}
/** Git itself reads `~/` and a path that is relative to where it runs. */
function expandPath(value, top, env) {
	const path = Buffer.from(value, "latin1").toString("utf8");
	return path.startsWith("~/") ? join(readVariable(env, "HOME") ?? "/", path.slice(2)) : resolve(top, path);
}
//#endregion
//#region src/git/filter-programs.ts
/** These run whatever the current folder (the top of the working tree) tells them to. */
const RUNS_THE_FOLDER = /^(npx|npm|pnpm|yarn|bunx|make|gmake|just|task|rake|bundle|poetry|pipenv|pdm|uvx?|cargo|go|gradle|mvn|composer|direnv)$/;
/** These take modules from the current folder, unless they are given a script of another one. */
const INTERPRETER = /^(python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|ruby|php|lua[\d.]*|Rscript)$/;
/**
* Names of the filter drivers whose program the implementer could have written, though the setting itself is the
* user's: `filter.x.clean = ./tools/clean.sh`, or `python -m nbstripout` beside a new `nbstripout.py`. Git would run
* them outside every sandbox as soon as somebody looks at the tree.
*/
function filtersInTree(entries, top) {
	const found = /* @__PURE__ */ new Set();
	for (const { section, subsection, name, value } of entries) {
		if (section !== "filter" || subsection === null || !value || name !== "clean" && name !== "process") continue;
		if (dependsOnTree(Buffer.from(value, "latin1").toString("utf8"), top)) found.add(subsection);
	}
	return found;
}
function dependsOnTree(command, top) {
	const words = command.split(/[\s'"`;|&()<>=$]+/).filter((word) => word !== "");
	return words.some((word, index) => {
		const base = word.slice(word.lastIndexOf("/") + 1);
		if (RUNS_THE_FOLDER.test(base)) return true;
		if (INTERPRETER.test(base)) {
			const script = words[index + 1];
			return script === void 0 || !isAbsolute(script) || liesIn(top, script);
		}
		return /[./]/.test(word) && liesIn(top, word) && existsSync(resolve(top, word));
	});
}
function liesIn(top, word) {
	const way = relative(top, resolve(top, word));
	return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
//#endregion
//#region src/git/raw-path.ts
function rawPath(bytes) {
	return bytes.toString("latin1");
}
/** The raw form of a path that Node gave us. */
function rawFrom(path) {
	return Buffer.from(path, "utf8").toString("latin1");
}
/** The absolute path below `top`, for the file system: bytes where a string would lose some. */
function pathIn(top, path) {
	return isAscii(path) ? `${top}/${path}` : Buffer.concat([Buffer.from(`${top}/`, "utf8"), Buffer.from(path, "latin1")]);
}
function isUtf8Path(path) {
	return isAscii(path) || isUtf8(Buffer.from(path, "latin1"));
}
/** For people and for JSON: UTF-8 as it is, any other byte as `\xNN`. */
function showPath(path) {
	if (isAscii(path)) return path;
	const bytes = Buffer.from(path, "latin1");
	if (isUtf8(bytes)) return bytes.toString("utf8");
	let shown = "";
	for (let at = 0; at < bytes.length;) {
		const length = [
			1,
			2,
			3,
			4
		].find((count) => at + count <= bytes.length && isUtf8(bytes.subarray(at, at + count)));
		shown += length ? bytes.toString("utf8", at, at + length) : `\\x${bytes.toString("hex", at, at + 1)}`;
		at += length ?? 1;
	}
	return shown;
}
/** All paths, each ended by NUL, as git's `-z --stdin` reads them. */
function pathList(paths) {
	return Buffer.from([...paths].map((path) => `${path}\0`).join(""), "latin1");
}
function isAscii(path) {
	return /^[\u0000-\u007f]*$/.test(path);
}
//#endregion
//#region src/git/private-git.ts
init_atomic_write();
init_errors();
init_trusted();
/** Keys of content filters that lie in the git directory (data, not programs). */
const FILTER_DATA = ["git-crypt"];
/** Makes the private git directory, in files that are new each time: what lay there may have been written by others. */
function openPrivateGit(frozen, request) {
	const { repository } = frozen;
	const { folder, objects } = request;
	const withoutFilters = /* @__PURE__ */ new Map();
	for (const name of filtersInTree(frozen.settings, repository.top)) withoutFilters.set(name, "its program lies in the working tree or takes code from there");
	for (const own of [dirname(folder), objects]) refuseLink(own);
	if (lstatSync(folder, { throwIfNoEntry: false })) rmSync(folder, { recursive: true });
	mkdirSync(join(folder, "refs"), {
		recursive: true,
		mode: 448
	});
	mkdirSync(objects, {
		recursive: true,
		mode: 448
	});
	writeFileSync(join(folder, "HEAD"), `${request.head ?? "ref: refs/heads/unborn"}\n`);
	const copies = [
		["excludes", frozen.excludes],
		["attributes", frozen.attributes],
		["info/exclude", frozen.infoExclude],
		["info/attributes", frozen.infoAttributes]
	];
	for (const [name, content] of copies) {
		if (!content || saysNothing(content)) continue;
		const path = join(folder, name);
		mkdirSync(dirname(path), {
			recursive: true,
			mode: 448
		});
		writeFileSync(path, content);
	}
	linkData(repository, folder);
	const config = () => formatConfig(settingsFor(frozen, folder, withoutFilters.keys()));
	writeFileSync(join(folder, "config"), config());
	const extraEnv = {
		GIT_DIR: folder,
		GIT_COMMON_DIR: folder,
		GIT_OBJECT_DIRECTORY: objects,
		GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteForList(join(repository.commonDir, "objects")),
		GIT_CONFIG_NOSYSTEM: "1",
		GIT_CONFIG_GLOBAL: "/dev/null",
		GIT_CONFIG_SYSTEM: "/dev/null"
	};
	return {
		withoutFilters,
		async git(args, { index, input } = {}) {
			for (;;) {
				const before = new Set(withoutFilters.keys());
				const answer = await trustedGit(repository, args, {
					env: request.env,
					timeoutMs: request.timeoutMs,
					...request.signal && { signal: request.signal },
					...input && { input },
					extraEnv: {
						...extraEnv,
						...index !== void 0 && { GIT_INDEX_FILE: index }
					}
				});
				const broken = answer.code === 0 ? void 0 : /^fatal: [^]*: clean filter '([^']*)' failed$/m.exec(answer.stderr)?.[1];
				if (broken === void 0 || before.has(broken)) return answer;
				if (withoutFilters.has(broken)) continue;
				withoutFilters.set(broken, "it did not work");
				writeFileAtomic(join(folder, "config"), config(), 384, false);
			}
		}
	};
}
/** `git init` makes an `info/exclude` of comments in every repository: a file and a folder fewer to make, twice a run. */
function saysNothing(rules) {
	return /^(?:#.*\n|\n)*$/.test(rules.toString("latin1"));
}
/** A folder of ours that is a link by now would have us write, and delete, wherever it leads. */
function refuseLink(path) {
	if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
	throw new BatonError("run-directory", `${path} was made a link: nothing is written there`);
}
function settingsFor(frozen, folder, withoutFilters) {
	const { objectFormat } = frozen.repository;
	return [
		core("repositoryformatversion", objectFormat === "sha1" ? "0" : "1"),
		core("bare", "false"),
		core("excludesfile", rawFrom(join(folder, "excludes"))),
		core("attributesfile", rawFrom(join(folder, "attributes"))),
		...objectFormat === "sha1" ? [] : [{
			section: "extensions",
			subsection: null,
			name: "objectformat",
			value: objectFormat
		}],
		...frozen.settings,
		...[...withoutFilters].flatMap((filter) => Object.entries({
			clean: "",
			process: "",
			required: "false"
		}).map(([name, value]) => ({
			section: "filter",
			subsection: filter,
			name,
			value
		})))
	];
}
function core(name, value) {
	return {
		section: "core",
		subsection: null,
		name,
		value
	};
}
/** Parts that git looks for beside the index, or a filter beside the configuration. */
function linkData({ gitDir, commonDir }, folder) {
	for (const name of readdirSync(gitDir)) if (name.startsWith("sharedindex.")) symlinkSync(join(gitDir, name), join(folder, name));
	for (const name of readdirSync(commonDir)) if (FILTER_DATA.includes(name)) symlinkSync(join(commonDir, name), join(folder, name));
}
/** A list of folders is split at the separator, unless the entry is quoted. */
function quoteForList(path) {
	if (!path.includes(delimiter) && !path.includes("\n") && !path.startsWith("\"")) return path;
	return `"${path.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n")}"`;
}
//#endregion
//#region src/evidence/git-config-file.ts
init_text();
/** Keys whose values may be credentials: they are named in a report, never shown. */
const SECRET_KEY = /extraheader|password|passwd|token|secret|cookie/i;
const SECRET_VALUE = /:\/\/[^/@\s]+@/;
/**
* Reads a git configuration file as git would, without git: what an implementer wrote must not be run to be read.
* Lines that git would refuse are skipped.
*/
function parseConfig(text) {
	const values = /* @__PURE__ */ new Map();
	let section = "";
	for (const line of logicalLines(text)) {
		const header = /^\s*\[\s*([-.A-Za-z0-9]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
		if (header) {
			const subsection = header[2]?.replace(/\\(.)/g, "$1");
			section = (header[1] ?? "").toLowerCase() + (subsection === void 0 ? "" : `.${subsection}`);
		}
		const entry = /^\s*([A-Za-z][-A-Za-z0-9]*)\s*(?:=(.*))?$/s.exec(header ? line.slice(header[0].length) : line);
		if (!entry || section === "") continue;
		const key = `${section}.${(entry[1] ?? "").toLowerCase()}`;
		const value = entry[2] === void 0 ? "true" : unquote(entry[2]);
		values.set(key, [...values.get(key) ?? [], value]);
	}
	return values;
}
/** Each setting that differs, as a phrase such as `core.hookspath is now "/x" (was unset)`. */
function describeConfigChanges(before, after) {
	return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
		const old = before.get(key);
		const now = after.get(key);
		if (JSON.stringify(old) === JSON.stringify(now)) return [];
		return [`${key.replace(/:\/\/[^/@\s]+@/, "://***@")} is now ${show(key, now)} (was ${show(key, old)})`];
	});
}
function show(key, values) {
	if (!values) return "unset";
	if (SECRET_KEY.test(key) || values.some((value) => SECRET_VALUE.test(value))) return "a value that is not shown";
	return values.map((value) => JSON.stringify(truncate(oneLine(value), 200))).join(", ");
}
/** Lines with their continuations joined and their comments cut; quotes and escapes stay for `unquote`. */
function logicalLines(text) {
	const lines = [];
	let line = "";
	let quoted = false;
	let comment = false;
	for (let at = 0; at < text.length; at += 1) {
		const char = text[at] ?? "";
		if (char === "\n") {
			lines.push(line);
			line = "";
			quoted = false;
			comment = false;
		} else if (comment) continue;
		else if (char === "\\") {
			const next = text[at + 1] === "\r" && text[at + 2] === "\n" ? "\r\n" : text[at + 1] ?? "";
			at += next.length;
			if (!next.endsWith("\n")) line += char + next;
		} else if ((char === "#" || char === ";") && !quoted) comment = true;
		else {
			if (char === "\"") quoted = !quoted;
			line += char;
		}
	}
	return [...lines, line];
}
const ESCAPES = {
	n: "\n",
	t: "	",
	b: "\b"
};
/** The value between its outer blanks, quotes taken off and escapes resolved. Blanks inside quotes stay. */
function unquote(raw) {
	let value = "";
	let solid = 0;
	let quoted = false;
	for (let at = 0; at < raw.length; at += 1) {
		const char = raw[at] ?? "";
		if (char === "\"") {
			quoted = !quoted;
			solid = value.length;
		} else if (char === "\\") {
			at += 1;
			const next = raw[at] ?? "";
			value += ESCAPES[next] ?? next;
			solid = value.length;
		} else if (quoted || !/\s/.test(char)) {
			value += char;
			solid = value.length;
		} else if (value !== "") value += char;
	}
	return value.slice(0, solid);
}
//#endregion
//#region src/evidence/plain-file.ts
init_errors();
const ABSENT = { kind: "absent" };
const READ_WITHOUT_BLOCKING = constants$1.O_RDONLY | (constants$1.O_NONBLOCK ?? 0);
/** Reads what is at `path`, through links; content only up to `maxBytes`. Never throws. */
function readPlainFile(path, maxBytes) {
	let link = null;
	try {
		if (lstatSync(path).isSymbolicLink()) link = readlinkSync(path);
		const seen = statSync(path);
		if (seen.isDirectory()) return {
			kind: "folder",
			link
		};
		if (!seen.isFile()) return {
			kind: "special",
			link
		};
		return readRegular(path, link, maxBytes);
	} catch (error) {
		const code = systemCode(error);
		if (code === "ENOENT" || code === "ENOTDIR") return link === null ? ABSENT : {
			kind: "special",
			link
		};
		return {
			kind: "unreadable",
			code: code ?? messageOf$1(error)
		};
	}
}
/** The first `maxBytes` of a small file such as a loose ref, with the fewest system calls. Throws system errors. */
function readSmallFile(path, maxBytes) {
	const fd = openSync(path, READ_WITHOUT_BLOCKING);
	try {
		const buffer = Buffer.allocUnsafe(maxBytes);
		return Buffer.from(buffer.subarray(0, readSync(fd, buffer, 0, maxBytes, 0)));
	} finally {
		closeSync(fd);
	}
}
/** Bytes `[from, to)` of a regular file. Throws system errors. */
function readRange(path, from, to) {
	const fd = openSync(path, READ_WITHOUT_BLOCKING);
	try {
		return readUpTo(fd, from, to - from);
	} finally {
		closeSync(fd);
	}
}
/**
* Every file below `folder` by its path relative to it (`/` between segments), links to folders followed once each.
* What cannot be read, and what is above the limits, is said to `gap`; a folder that was not listed whole is itself an
* entry then, `unreadable` (its name is '' for the first one). Paths in `skip` (absolute) are left out.
*/
function readFolder(folder, limits, gap, skip = () => false) {
	const found = /* @__PURE__ */ new Map();
	const visited = /* @__PURE__ */ new Set();
	let full = false;
	const visit = (path, prefix, depth) => {
		let names;
		try {
			const real = realpathSync(path);
			if (visited.has(real)) return;
			visited.add(real);
			names = readdirSync(path).sort();
		} catch (error) {
			found.set(prefix.slice(0, -1), {
				kind: "unreadable",
				code: systemCode(error) ?? messageOf$1(error)
			});
			gap(`cannot list ${path}: ${systemCode(error) ?? messageOf$1(error)}`);
			return;
		}
		for (const name of names) {
			if (found.size >= limits.entries) full = true;
			if (full) return;
			const child = join(path, name);
			if (skip(child)) continue;
			const file = readPlainFile(child, limits.fileBytes);
			if (file.kind === "unreadable") gap(`cannot read ${child}: ${file.code}`);
			if (file.kind !== "folder" || file.link !== null) found.set(prefix + name, fingerprint(file));
			if (file.kind !== "folder") continue;
			if (depth >= limits.depth) full = true;
			else visit(child, `${prefix}${name}/`, depth + 1);
		}
	};
	visit(folder, "", 1);
	if (full) {
		found.set("", {
			kind: "unreadable",
			code: "too much"
		});
		gap(`${folder} has more than ${limits.entries} entries or ${limits.depth} levels: the rest was not looked at`);
	}
	return found;
}
function fingerprint(file) {
	if (file.kind !== "file") return file;
	const { bytes: _, ...rest } = file;
	return rest;
}
/** What happened to a file, as the end of a sentence that begins with its name; null where nothing did. */
function describeChange(before, after) {
	if (before.kind === "unreadable" || after.kind === "unreadable") return null;
	if (before.kind === "absent") return after.kind === "absent" ? null : `was added${linked(after.link)}`;
	if (after.kind === "absent") return "was removed";
	if (before.link !== after.link) {
		if (after.link === null) return "was a link and is now a file of its own";
		return before.link === null ? `became a link to ${after.link}` : `was a link to ${before.link} and is now one to ${after.link}`;
	}
	if (before.kind !== after.kind) return `was a ${before.kind} and is now a ${after.kind}`;
	if (before.kind !== "file" || after.kind !== "file") return null;
	if (before.digest !== after.digest) return `was edited (${before.size} bytes before, ${after.size} now)`;
	if (before.executable !== after.executable) return after.executable ? "was made executable" : "is no longer executable";
	return null;
}
function linked(link) {
	return link === null ? "" : `, a link to ${link}`;
}
function readRegular(path, link, maxBytes) {
	const fd = openSync(path, READ_WITHOUT_BLOCKING);
	try {
		const stat = fstatSync(fd, { bigint: true });
		if (!stat.isFile()) return {
			kind: "special",
			link
		};
		const size = Number(stat.size);
		const mode = Number(stat.mode) & 4095;
		const bytes = size > maxBytes ? null : readUpTo(fd, 0, maxBytes);
		const digest = bytes ? createHash("sha256").update(bytes).digest("hex") : `stat ${size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}`;
		return {
			kind: "file",
			executable: (mode & 73) !== 0,
			mode,
			size: bytes?.length ?? size,
			digest,
			link,
			bytes
		};
	} finally {
		closeSync(fd);
	}
}
/** A file may grow or shrink while it is read: what counts is what the reads give. */
function readUpTo(fd, from, count) {
	const size = Math.max(0, Math.min(count, fstatSync(fd).size - from));
	const buffer = Buffer.allocUnsafe(size);
	let filled = 0;
	while (filled < size) {
		const read = readSync(fd, buffer, filled, size - filled, from + filled);
		if (read === 0) break;
		filled += read;
	}
	return buffer.subarray(0, filled);
}
//#endregion
//#region src/evidence/git-settings.ts
init_errors();
init_approval();
const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_INCLUDES = 50;
const HOOK_LIMITS = {
	entries: 500,
	depth: 4,
	fileBytes: 1024 * 1024
};
/** Reads the settings as plain files. What cannot be read is said to `gap`. */
function readGitSettings(place, gap) {
	const configs = readConfigs(place, gap);
	const values = [...configs.values()].map(({ text }) => parseConfig(text));
	const home = place.env?.["HOME"];
	const named = (key, base) => values.flatMap((config) => config.get(key) ?? []).flatMap((path) => expand(path, base, home) ?? []);
	const files = /* @__PURE__ */ new Map();
	for (const path of [...ownFiles$1(place), ...named("core.attributesfile", place.top)]) files.set(path, settle$1(readOrGap(path, gap)));
	for (const path of [...userFile(place.env, "ignore"), ...named("core.excludesfile", place.top)]) files.set(path, readUserIgnore(path, gap));
	const hooks = /* @__PURE__ */ new Map();
	for (const folder of [join(place.commonDir, "hooks"), ...named("core.hookspath", place.top)]) hooks.set(folder, readHooks(folder, gap));
	return {
		configs,
		files,
		hooks,
		worktrees: readWorktrees(place.commonDir, gap)
	};
}
/** What differs, with sentences that begin with the name of the file. `name` makes a path short for a person. */
function compareGitSettings(before, after, name) {
	const found = [];
	for (const [path, old] of before.configs) {
		const now = after.configs.get(path);
		const change = now && describeChange(old.file, now.file);
		if (!change) continue;
		const settings = describeConfigChanges(parseConfig(old.text), parseConfig(now.text));
		const shown = settings.length === 0 ? `${change}, no setting differs` : listed(settings);
		found.push({
			kind: "git-config",
			detail: `${name(path)}: ${shown}`
		});
	}
	for (const [path, old] of before.files) {
		const now = after.files.get(path);
		const change = now && describeChange(old, now);
		if (change) found.push({
			kind: "git-config",
			detail: `${name(path)} ${change}`
		});
	}
	for (const [folder, old] of before.hooks) {
		const now = after.hooks.get(folder);
		if (now) for (const change of describeChanges(old, now)) found.push({
			kind: "hooks",
			detail: `${name(join(folder, change.path))} ${change.what}`
		});
	}
	if (before.worktrees && after.worktrees) found.push(...compareWorktrees(before.worktrees, after.worktrees));
	return found;
}
/**
* The files that differ between two folders, by their path in it. In a folder that was not listed whole, a file that is
* missing may be there: only one that both sides have is compared.
*/
function describeChanges(before, after) {
	const absent = { kind: "absent" };
	const unlisted = [...before, ...after].filter(([, { kind }]) => kind === "unreadable").map(([path]) => path);
	const unknown = (path) => unlisted.some((folder) => folder === "" || path.startsWith(`${folder}/`));
	return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
		const [old, now] = [before.get(path), after.get(path)];
		if ((!old || !now) && unknown(path)) return [];
		const what = describeChange(old ?? absent, now ?? absent);
		return what === null ? [] : [{
			path,
			what
		}];
	});
}
/** At most five phrases, and how many more there are. */
function listed(phrases) {
	const more = phrases.length - 5;
	return phrases.slice(0, 5).join("; ") + (more > 0 ? `; and ${more} more` : "");
}
function compareWorktrees(before, after) {
	return [...new Set([...before.keys(), ...after.keys()])].flatMap((worktree) => {
		const [old, now] = [before.get(worktree), after.get(worktree)];
		if (old === now) return [];
		const moved = now === void 0 ? `at ${old} was removed` : `moved from ${old} to ${now}`;
		return [{
			kind: "git-config",
			detail: `the worktree ${worktree} ${old === void 0 ? `was added at ${now}` : moved}`
		}];
	});
}
/** Resolves a path as git's configuration writes it; null for forms that only git knows (`%(prefix)/`, `~user/`). */
function expand(path, base, home) {
	if (path === "" || path.startsWith("%(")) return null;
	if (path.startsWith("~/")) return home ? join(home, path.slice(2)) : null;
	if (path.startsWith("~")) return null;
	return isAbsolute(path) ? path : resolve(base, path);
}
/** The repository's configuration files, the user's own, and whatever they include under any condition. */
function readConfigs(place, gap) {
	const configs = /* @__PURE__ */ new Map();
	const queue = [
		join(place.commonDir, "config"),
		join(place.gitDir, "config.worktree"),
		...userConfigs(place.env)
	];
	for (let path = queue.shift(); path !== void 0; path = queue.shift()) {
		if (configs.has(path)) continue;
		if (configs.size >= MAX_INCLUDES) {
			gap(`more than ${MAX_INCLUDES} git configuration files: ${path} was not looked at`);
			break;
		}
		const file = readPlainFile(path, MAX_CONFIG_BYTES);
		if (file.kind === "unreadable") gap(`cannot read ${path}: ${file.code}`);
		if (file.kind === "file" && !file.bytes) gap(`${path} is larger than ${MAX_CONFIG_BYTES} bytes: its settings were not looked at`);
		const text = file.kind === "file" && file.bytes ? file.bytes.toString("utf8") : "";
		configs.set(path, {
			file: settle$1(fingerprint(file)),
			text
		});
		queue.push(...includes(parseConfig(text), dirname(path), place.env?.["HOME"]));
	}
	return configs;
}
function includes(config, base, home) {
	return [...config].filter(([key]) => key === "include.path" || key.startsWith("includeif.") && key.endsWith(".path")).flatMap(([, paths]) => paths).flatMap((path) => expand(path, base, home) ?? []);
}
function userConfigs(env) {
	if (!env) return [];
	if (env["GIT_CONFIG_GLOBAL"]) return [env["GIT_CONFIG_GLOBAL"]];
	return [...env["HOME"] ? [join(env["HOME"], ".gitconfig")] : [], ...userFile(env, "config")];
}
/** A file of git's folder in the user's configuration, such as `~/.config/git/ignore`. */
function userFile(env, name) {
	if (!env) return [];
	const base = env["XDG_CONFIG_HOME"] || env["HOME"] && join(env["HOME"], ".config");
	return base ? [join(base, "git", name)] : [];
}
function ownFiles$1({ top, gitDir, commonDir, env }) {
	const paths = [
		...[
			"info/exclude",
			"info/attributes",
			"info/grafts",
			"objects/info/alternates",
			"shallow"
		].map((path) => join(commonDir, path)),
		join(gitDir, "info/sparse-checkout"),
		join(gitDir, "commondir"),
		...approvalFiles(gitDir),
		...approvalFiles(commonDir)
	];
	if (join(top, ".git") !== gitDir) paths.push(join(top, ".git"));
	return [...paths, ...userFile(env, "attributes")];
}
function readHooks(folder, gap) {
	const found = readOrGap(folder, gap);
	if (found.kind === "absent") return /* @__PURE__ */ new Map();
	const hooks = found.kind === "folder" ? readFolder(folder, HOOK_LIMITS, gap, (path) => path.endsWith(".sample")) : /* @__PURE__ */ new Map();
	if (found.kind !== "folder" || found.link !== null) hooks.set("", found);
	return hooks;
}
function readWorktrees(commonDir, gap) {
	const folder = join(commonDir, "worktrees");
	try {
		return new Map(readdirSync(folder).map((name) => [name, worktreePath(join(folder, name, "gitdir"))]));
	} catch (error) {
		if (systemCode(error) === "ENOENT") return /* @__PURE__ */ new Map();
		gap(`cannot list ${folder}: ${systemCode(error) ?? messageOf$1(error)}`);
		return null;
	}
}
function worktreePath(gitdirFile) {
	try {
		return readSmallFile(gitdirFile, 4096).toString("utf8").trim();
	} catch {
		return "an unknown place";
	}
}
function readOrGap(path, gap) {
	const file = readPlainFile(path, MAX_CONFIG_BYTES);
	if (file.kind === "unreadable") gap(`cannot read ${path}: ${file.code}`);
	return fingerprint(file);
}
/**
* The user's own ignore rules without the line that claude adds to them by itself, the first time that it runs a
* command on a machine (seen with 2.1.332): that is no act of this run's implementer.
*/
function readUserIgnore(path, gap) {
	const file = readPlainFile(path, MAX_CONFIG_BYTES);
	if (file.kind === "unreadable") gap(`cannot read ${path}: ${file.code}`);
	if (file.kind !== "file" || !file.bytes) return fingerprint(file);
	const rules = file.bytes.toString("utf8").split("\n").filter((line) => line !== "" && line !== "**/.claude/.cc-writes/").join("\n");
	const { bytes: _, ...rest } = file;
	return settle$1({
		...rest,
		size: rules.length,
		digest: createHash("sha256").update(rules).digest("hex")
	});
}
/**
* An empty settings file says the same as none. Claude's sandbox makes empty ones (`config.worktree`,
* `objects/info/alternates`) so that it can protect them, and leaves them behind.
*/
function settle$1(file) {
	return file.kind === "file" && file.size === 0 && file.link === null ? { kind: "absent" } : file;
}
//#endregion
//#region src/evidence/residue.ts
/**
* Empty files that claude's sandbox puts into its working directory while a command runs, so that the command cannot
* make these itself. Listed from outside with claude 2.1.332 on Linux, while a command slept: the same 23 at the top of
* a repository, below it, in a linked worktree and outside git, each only where nothing of its name was before, all
* regular, empty and 0444. They go when the command ends, and stay when claude is killed.
*/
const PLACEHOLDERS = new Set([
	".bash_profile",
	".bashrc",
	".claude/agents",
	".claude/commands",
	".claude/hooks",
	".claude/launch.json",
	".claude/loop.md",
	".claude/output-styles",
	".claude/routines",
	".claude/scheduled_tasks.json",
	".claude/settings.json",
	".claude/settings.local.json",
	".claude/skills",
	".claude/workflows",
	".gitconfig",
	".gitmodules",
	".idea",
	".mcp.json",
	".profile",
	".ripgreprc",
	".vscode",
	".zprofile",
	".zshrc"
]);
/**
* Empty folders that it leaves also after a good end, deepest first: in the working directory, and at the top of the
* repository (of the main working tree, for a linked one) where it worked below.
*/
const FOLDERS = [".claude/.cc-writes", ".claude"];
/** Looks, before the run, which placeholder names are free in `cwd` and at the top of the tree. */
function readResidue(top, cwd) {
	const bases = [...new Set([cwd, top])];
	const free = (names) => bases.flatMap((base) => [...names].map((name) => join(base, name)).filter((path) => !exists(path))).map((path) => slashed(relative(top, path)));
	return {
		top,
		absentFiles: new Set(free(PLACEHOLDERS)),
		absentFolders: free(FOLDERS)
	};
}
/** Whether what is at `path` now is a placeholder that the run's sandbox made: never a change, never a violation. */
function isResidue(state, path) {
	if (!state.absentFiles.has(path)) return false;
	try {
		const file = join(state.top, path);
		const stat = lstatSync(file);
		return stat.isFile() && stat.size === 0 && (stat.mode & 4095) === 292 && lstatSync(dirname(file)).isDirectory();
	} catch {
		return false;
	}
}
/**
* Deletes the placeholders and the empty folders made for them; returns what it deleted. For after a KILL, and only when
* no other session works in the directory: its sandbox needs them.
*/
function removeResidue(state) {
	const files = [...state.absentFiles].filter((path) => isResidue(state, path) && succeeds(() => unlinkSync(join(state.top, path))));
	const folders = state.absentFolders.filter((path) => isEmptyFolder(join(state.top, path)) && succeeds(() => rmdirSync(join(state.top, path))));
	return [...files, ...folders];
}
/** The same for a file that was read already. `name` is relative to the folder where the agent works. */
function isPlaceholder(name, file) {
	return file.kind === "file" && file.size === 0 && file.mode === 292 && file.link === null && PLACEHOLDERS.has(slashed(name));
}
function exists(path) {
	try {
		lstatSync(path);
		return true;
	} catch {
		return false;
	}
}
/** A real folder, not a link to one, behind a real parent: nothing outside the tree is deleted through a link. */
function isEmptyFolder(path) {
	try {
		return lstatSync(path).isDirectory() && lstatSync(dirname(path)).isDirectory() && readdirSync(path).length === 0;
	} catch {
		return false;
	}
}
function succeeds(action) {
	try {
		action();
		return true;
	} catch {
		return false;
	}
}
function slashed(path) {
	return path.replaceAll("\\", "/");
}
//#endregion
//#region src/evidence/agent-settings.ts
init_errors();
init_json();
const NAMES = [
	".claude/hooks",
	".claude/skills",
	".claude/agents",
	".claude/commands",
	".agents",
	".mcp.json",
	".codex",
	".delegate",
	"baton.config.json"
];
const CLAUDE_SETTINGS = /^settings.*\.json$/;
const LIMITS = {
	entries: 2e3,
	depth: 8,
	fileBytes: 1024 * 1024
};
/** Settings of claude, besides hooks, whose value is a command that runs outside its sandbox. */
const COMMAND_SETTINGS = [
	"apiKeyHelper",
	"awsAuthRefresh",
	"awsCredentialExport",
	"gcpAuthRefresh",
	"otelHeadersHelper"
];
/** Reads the settings as plain files. What cannot be read is said to `gap`. */
function readAgentSettings(place, gap) {
	const files = /* @__PURE__ */ new Map();
	const scripts = /* @__PURE__ */ new Map();
	for (const base of foldersUp(place.cwd, place.top)) {
		for (const path of settingsPaths(base, files, gap)) readInto(files, base, path, place, gap);
		for (const path of hookScripts(base, place)) {
			const file = readPlainFile(path, LIMITS.fileBytes);
			if (file.kind === "unreadable") gap(`cannot read ${path}: ${file.code}`);
			if (file.kind !== "folder" && !files.has(path)) scripts.set(path, fingerprint(file));
		}
	}
	return {
		files,
		scripts
	};
}
/** What differs, as sentences that begin with the name of the file. `name` makes a path short for a person. */
function compareAgentSettings(before, after, name) {
	const old = namedIn(after.scripts, before.scripts);
	const now = namedIn(before.scripts, after.scripts);
	return [...describeChanges(before.files, after.files).map(({ path, what }) => `${name(path)} ${what}`), ...describeChanges(old, now).map(({ path, what }) => `${name(path)}, which an agent's settings run, ${what}`)];
}
/** The words of a shell command that can be files, resolved as an agent's hook would find them. */
function scriptsOf(command, base, home) {
	return (command.replace(/\$\{?(?:CLAUDE_PROJECT_DIR|PWD)\}?/g, base).replace(/\$\(git rev-parse --show-toplevel\)/g, base).match(/(?:"[^"]*"|'[^']*'|[^\s"';&|()<>])+/g) ?? []).map((word) => word.replace(/["']/g, "")).filter((word) => /[/.]/.test(word) && !word.startsWith("-") && !word.includes("$")).flatMap((word) => {
		if (word.startsWith("~/")) return home ? [join(home, word.slice(2))] : [];
		return [isAbsolute(word) ? word : resolve(base, word)];
	});
}
function namedIn(names, files) {
	return new Map([...files].filter(([path]) => names.has(path)));
}
function foldersUp(cwd, top) {
	const way = relative(top, cwd);
	if (way.startsWith("..") || isAbsolute(way)) return [top, cwd];
	const folders = [top];
	for (let folder = cwd; folder !== top && folder.startsWith(top + sep); folder = dirname(folder)) folders.push(folder);
	return folders;
}
function settingsPaths(base, files, gap) {
	const claude = join(base, ".claude");
	const folder = readPlainFile(claude, 0);
	const paths = NAMES.map((name) => join(base, name));
	if (folder.kind !== "absent" && (folder.kind !== "folder" || folder.link !== null)) paths.push(claude);
	if (folder.kind !== "folder") return paths;
	try {
		const settings = readdirSync(claude).filter((name) => CLAUDE_SETTINGS.test(name));
		return [...paths, ...settings.map((name) => join(claude, name))];
	} catch (error) {
		const code = systemCode(error) ?? messageOf$1(error);
		gap(`cannot list ${claude}: ${code}`);
		files.set(claude, {
			kind: "unreadable",
			code
		});
		return paths;
	}
}
function readInto(files, base, path, place, gap) {
	if (path === place.runDir) return;
	const file = readPlainFile(path, LIMITS.fileBytes);
	if (file.kind === "absent" || isPlaceholder(relative(base, path), file)) return;
	if (file.kind === "unreadable") gap(`cannot read ${path}: ${file.code}`);
	if (file.kind !== "folder" || file.link !== null) files.set(path, fingerprint(file));
	if (file.kind !== "folder" || path === join(base, ".claude")) return;
	const inRunDir = (child) => child === place.runDir;
	for (const [name, found] of readFolder(path, LIMITS, gap, inRunDir)) files.set(join(path, name), found);
}
/** The scripts named by the hooks of claude and codex in one folder. */
function hookScripts(base, { home }) {
	const commands = [
		".claude/settings.json",
		".claude/settings.local.json",
		".codex/hooks.json"
	].flatMap((name) => jsonCommands(join(base, name)));
	commands.push(...tomlCommands(join(base, ".codex", "config.toml")));
	return commands.flatMap((command) => scriptsOf(command, base, home));
}
function jsonCommands(path) {
	try {
		const settings = objectOf(JSON.parse(textOf$1(path)));
		return [...[objectOf(settings["statusLine"])["command"], ...COMMAND_SETTINGS.map((name) => settings[name])].filter((value) => typeof value === "string"), ...hookCommands(settings["hooks"])];
	} catch {
		return [];
	}
}
/** `{ Event: [{ hooks: [{ command, args }] }] }`, tolerant of anything else. */
function hookCommands(hooks) {
	return Object.values(objectOf(hooks)).flatMap(arrayOf).flatMap((group) => arrayOf(objectOf(group)["hooks"])).filter(isObject).map((hook) => [hook["command"], ...arrayOf(hook["args"])].filter((part) => typeof part === "string").join(" "));
}
/** The strings of `command` keys; no TOML reader is needed to find a file's name in them. */
function tomlCommands(path) {
	return [...textOf$1(path).matchAll(/^\s*(?:command|notify)\s*=\s*(.*)$/gm)].map((match) => (match[1] ?? "").replace(/[[\],]/g, " ").replace(/^(["'])(.*)\1$/, "$2"));
}
function textOf$1(path) {
	const file = readPlainFile(path, LIMITS.fileBytes);
	return file.kind === "file" && file.bytes ? file.bytes.toString("utf8") : "";
}
//#endregion
//#region src/evidence/reflogs.ts
init_errors();
const TAIL_BYTES = 64 * 1024;
const NO_DIFFERENCE = {
	added: [],
	lost: [],
	rewritten: false
};
/** Reads the end of a reflog; null, with a gap, where it cannot be read. */
function readReflog(path, name, gap) {
	try {
		const stat = statSync(path, { bigint: true });
		if (!stat.isFile()) throw new Error("not a file");
		const size = Number(stat.size);
		const tail = readRange(path, Math.max(0, size - TAIL_BYTES), size);
		return {
			size,
			stamp: `${stat.ino} ${stat.mtimeNs}`,
			tail
		};
	} catch (error) {
		if (systemCode(error) === "ENOENT") return {
			size: 0,
			stamp: "",
			tail: Buffer.alloc(0)
		};
		gap(`cannot read the reflog of ${name}: ${systemCode(error) ?? messageOf$1(error)}`);
		return null;
	}
}
/** `expires`: git drops the oldest entries by itself (`git gc`), as it does for HEAD and not for the stash. */
function compareReflogs(before, after, expires) {
	if (before.size === after.size && before.stamp === after.stamp) return NO_DIFFERENCE;
	const appended = appendedBytes(before, after);
	if (appended) {
		const added = parseReflog(appended);
		return {
			added,
			lost: [],
			rewritten: added.length === 0
		};
	}
	return compareEntries(before, after, expires);
}
/** The entries of whole lines; others are skipped. */
function parseReflog(bytes) {
	const entries = [];
	for (const line of bytes.toString("utf8").split("\n")) {
		const match = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(line);
		if (match) entries.push({
			from: match[1] ?? "",
			to: match[2] ?? "",
			message: match[3] ?? ""
		});
	}
	return entries;
}
/** What was written behind the old end; null where the old end is not there any more, or lies before our window. */
function appendedBytes(before, after) {
	const end = before.size - (after.size - after.tail.length);
	if (after.size < before.size || end < 0) return null;
	const shared = Math.min(end, before.tail.length);
	return before.tail.subarray(before.tail.length - shared).equals(after.tail.subarray(end - shared, end)) ? after.tail.subarray(end) : null;
}
/** The log was rewritten (an entry dropped, old ones expired) or grew beyond the window. */
function compareEntries(before, after, expires) {
	const old = wholeEntries(before);
	const now = wholeEntries(after);
	const added = without(now, old);
	let lost = without(old, now);
	const kept = old.findIndex((entry) => !lost.includes(entry));
	const windowed = before.size > before.tail.length || after.size > after.tail.length;
	if ((expires || windowed) && (kept === lost.length || kept < 0 && after.size > before.size)) lost = [];
	return {
		added,
		lost,
		rewritten: added.length === 0 && lost.length === 0
	};
}
/** The entries that the others have not; each of the others stands for one. */
function without(entries, others) {
	const counts = /* @__PURE__ */ new Map();
	for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
	return entries.filter((entry) => {
		const left = counts.get(keyOf(entry)) ?? 0;
		counts.set(keyOf(entry), left - 1);
		return left <= 0;
	});
}
/** Dropping an entry rewrites `from` of the next one, so an entry is known by what it leads to and says. */
function keyOf(entry) {
	return `${entry.to} ${entry.message}`;
}
function wholeEntries(state) {
	const cut = state.size > state.tail.length ? state.tail.indexOf(10) + 1 : 0;
	return parseReflog(state.tail.subarray(cut));
}
//#endregion
//#region src/evidence/refs.ts
init_errors();
/** Refs that every working tree has for itself; the others are shared. */
const PER_WORKTREE = [
	"refs/bisect",
	"refs/worktree",
	"refs/rewritten"
];
const MAX_REFS = 5e5;
const MAX_PACKED_BYTES = 256 * 1024 * 1024;
/** A reftable repository keeps no ref in a file of its own: only git can read it. */
function usesReftable(commonDir) {
	return existsSync(join(commonDir, "reftable", "tables.list"));
}
/** Reads all refs as plain files. What cannot be read is said to `gap`. */
function readRefs(gitDir, commonDir, gap) {
	const loose = /* @__PURE__ */ new Map();
	let complete = true;
	const missing = (sentence) => {
		complete = false;
		gap(sentence);
	};
	const linked = gitDir !== commonDir;
	readLoose(commonDir, "refs", linked ? PER_WORKTREE : [], loose, missing);
	if (linked) for (const folder of PER_WORKTREE) readLoose(gitDir, folder, [], loose, missing);
	let packed = Buffer.alloc(0);
	try {
		packed = readRange(join(commonDir, "packed-refs"), 0, MAX_PACKED_BYTES);
	} catch (error) {
		if (systemCode(error) !== "ENOENT") missing(`cannot read packed-refs: ${systemCode(error) ?? messageOf$1(error)}`);
	}
	return {
		loose,
		packed,
		complete
	};
}
/** Reads HEAD and resolves it among `refs`. Null, with a gap, where it cannot be read. */
function readHead(gitDir, refs, gap) {
	try {
		const text = readSmallFile(join(gitDir, "HEAD"), 4096).toString("utf8").trim();
		const symbolic = symbolicTarget(text);
		return symbolic === null ? {
			symbolic,
			commit: text
		} : {
			symbolic,
			commit: resolveRef(refs, symbolic)
		};
	} catch (error) {
		gap(`cannot read HEAD: ${systemCode(error) ?? messageOf$1(error)}`);
		return null;
	}
}
/** The object id behind a ref, through symbolic refs; null where there is none. */
function resolveRef(refs, name) {
	let current = name;
	for (let hops = 0; hops < 5; hops += 1) {
		const value = refs.loose.get(current) ?? findPacked(refs.packed, current);
		const target = value === null ? null : symbolicTarget(value);
		if (target === null) return value;
		current = target;
	}
	return null;
}
/** Refs whose value differs, in the order of their names. Packing refs, or unpacking them, changes none. */
function refChanges(before, after) {
	if (before.packed.equals(after.packed) && sameEntries(before.loose, after.loose)) return [];
	const old = allRefs(before);
	const now = allRefs(after);
	const changes = [];
	for (const name of new Set([...old.keys(), ...now.keys()])) {
		const [value, current] = [old.get(name), now.get(name)];
		if (value === current) continue;
		if (!(value === void 0 && !before.complete || current === void 0 && !after.complete)) changes.push({
			name,
			before: value ?? null,
			after: current ?? null
		});
	}
	return changes.sort((a, b) => a.name < b.name ? -1 : 1);
}
/** Every ref with its effective value. */
function allRefs(refs) {
	const all = /* @__PURE__ */ new Map();
	for (const line of refs.packed.toString("utf8").split("\n")) {
		const space = line.indexOf(" ");
		if (space > 0 && line[0] !== "#" && line[0] !== "^") all.set(line.slice(space + 1).trimEnd(), line.slice(0, space));
	}
	for (const [name, value] of refs.loose) all.set(name, value);
	return all;
}
function readLoose(base, folder, skip, into, gap) {
	let entries;
	try {
		entries = readdirSync(join(base, folder), { withFileTypes: true });
	} catch (error) {
		if (systemCode(error) !== "ENOENT") gap(`cannot list ${folder}: ${systemCode(error) ?? messageOf$1(error)}`);
		return;
	}
	for (const entry of entries) {
		const name = `${folder}/${entry.name}`;
		if (entry.isDirectory()) {
			if (!skip.includes(name)) readLoose(base, name, skip, into, gap);
			continue;
		}
		if (entry.name.endsWith(".lock")) continue;
		if (into.size >= MAX_REFS) {
			gap(`more than ${MAX_REFS} loose refs: the rest was not looked at`);
			return;
		}
		try {
			into.set(name, looseValue(join(base, name), entry));
		} catch (error) {
			gap(`cannot read ${name}: ${systemCode(error) ?? messageOf$1(error)}`);
		}
	}
}
function looseValue(path, entry) {
	if (entry.isSymbolicLink() && statSync(path).isDirectory()) return `a link to ${readlinkSync(path)}`;
	if (!entry.isFile() && !entry.isSymbolicLink()) return "not a file";
	const text = readSmallFile(path, 1024).toString("utf8");
	return text.startsWith("ref:") ? text.trim() : text.split(/\s/, 1)[0] ?? "";
}
/** One name in the bytes of `packed-refs`, without parsing the rest: repositories with 20,000 refs exist. */
function findPacked(packed, name) {
	const at = packed.indexOf(` ${name}\n`);
	if (at < 0) return null;
	const start = packed.lastIndexOf(10, at) + 1;
	return packed.toString("latin1", start, at);
}
function symbolicTarget(value) {
	return value.startsWith("ref:") ? value.slice(4).trim() : null;
}
function sameEntries(a, b) {
	if (a.size !== b.size) return false;
	for (const [name, value] of a) if (b.get(name) !== value) return false;
	return true;
}
//#endregion
//#region src/evidence/git-dir.ts
init_errors();
const MAX_INDEX_BYTES$1 = 1024 ** 3;
/** What a stopped merge, rebase, cherry-pick, revert or bisect leaves. */
const UNFINISHED = [
	"MERGE_HEAD",
	"CHERRY_PICK_HEAD",
	"REVERT_HEAD",
	"REBASE_HEAD",
	"BISECT_LOG",
	"rebase-merge",
	"rebase-apply",
	"sequencer"
];
/** Reads a git directory without running git. Never throws: what cannot be read is a gap. */
function readGitDir(place, objectFormat) {
	const { gitDir, commonDir } = place;
	const gaps = [];
	const gap = (sentence) => void gaps.push(sentence);
	const reftable = usesReftable(commonDir);
	const refs = reftable ? {
		loose: /* @__PURE__ */ new Map(),
		packed: Buffer.alloc(0),
		complete: false
	} : readRefs(gitDir, commonDir, gap);
	return {
		place,
		objectFormat,
		readAt: Math.floor(Date.now() / 1e3),
		objectsDir: join(commonDir, "objects"),
		identity: identityOf([gitDir, commonDir], gap),
		refs,
		head: reftable ? null : readHead(gitDir, refs, gap),
		unfinished: readUnfinished(gitDir, gap),
		origHead: textOf(join(gitDir, "ORIG_HEAD")),
		reflogs: reftable ? {
			head: null,
			stash: null
		} : {
			head: readReflog(join(gitDir, "logs", "HEAD"), "HEAD", gap),
			stash: readReflog(join(commonDir, "logs", "refs", "stash"), "refs/stash", gap)
		},
		otherHeads: readOtherHeads(place),
		index: readIndex(gitDir, gap),
		settings: readGitSettings(place, gap),
		gaps
	};
}
function readIndex(gitDir, gap) {
	try {
		return {
			bytes: readRange(join(gitDir, "index"), 0, MAX_INDEX_BYTES$1),
			entries: null
		};
	} catch (error) {
		if (systemCode(error) === "ENOENT") return {
			bytes: Buffer.alloc(0),
			entries: null
		};
		gap(`cannot read the index: ${systemCode(error) ?? messageOf$1(error)}`);
		return null;
	}
}
function readUnfinished(gitDir, gap) {
	const found = /* @__PURE__ */ new Map();
	for (const name of UNFINISHED) {
		const file = readPlainFile(join(gitDir, name), 1024 * 1024);
		if (file.kind === "unreadable") gap(`cannot read ${name}: ${file.code}`);
		if (file.kind !== "absent") found.set(name, file.kind === "file" ? file.digest : file.kind);
	}
	return found;
}
function readOtherHeads({ gitDir, commonDir }) {
	const heads = /* @__PURE__ */ new Map();
	const add = (name, folder) => {
		const text = folder === gitDir ? null : textOf(join(folder, "HEAD"));
		if (text) heads.set(name, text);
	};
	add("the main working tree", commonDir);
	const folder = join(commonDir, "worktrees");
	if (existsSync(folder)) for (const name of namesIn(folder)) add(`the worktree ${name}`, join(folder, name));
	return heads;
}
function namesIn(folder) {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
/** Empty where there is no such file, null where it cannot be read. */
function textOf(path) {
	try {
		return readSmallFile(path, 4096).toString("utf8").trim();
	} catch (error) {
		return systemCode(error) === "ENOENT" ? "" : null;
	}
}
function identityOf(folders, gap) {
	try {
		return folders.map((folder) => statSync(folder, { bigint: true })).map((stat) => `${stat.dev}:${stat.ino}:${stat.birthtimeNs < stat.ctimeNs ? stat.birthtimeNs : ""}`).join(" ");
	} catch (error) {
		if (systemCode(error) === "ENOENT") return "";
		gap(`cannot look at the git directory: ${systemCode(error) ?? "unknown"}`);
		return null;
	}
}
//#endregion
//#region src/evidence/index-entries.ts
const ASSUME_UNCHANGED$1 = 32768;
const EXTENDED$1 = 16384;
const SKIP_WORKTREE$1 = 16384;
const INTENT_TO_ADD = 8192;
/** ctime, mtime, dev, ino, mode, uid, gid, size: ten 32-bit words before the object id. */
const STAT_BYTES$1 = 40;
const MODE_OFFSET = 24;
/**
* Whether two index files hold the same entries apart from stat data: what `git status` leaves when it refreshed them.
* Much cheaper than parsing both. False where it cannot tell.
*/
function differOnlyInStats(a, b, objectFormat) {
	try {
		const form = readHeader(a, objectFormat);
		if (!a.subarray(0, 12).equals(b.subarray(0, 12))) return false;
		let offset = 12;
		for (let left = form.count; left > 0; left -= 1) {
			const { nul, next } = layoutAt(a, offset, form);
			const rest = offset + STAT_BYTES$1;
			if (a.readUInt32BE(offset + MODE_OFFSET) !== b.readUInt32BE(offset + MODE_OFFSET)) return false;
			if (nul + 1 > b.length || a.compare(b, rest, nul + 1, rest, nul + 1) !== 0) return false;
			offset = next;
		}
		return true;
	} catch {
		return false;
	}
}
/**
* Parses index versions 2, 3 and 4. Throws an Error that says why for anything else: a split index (its entries are
* in a second file), a sparse one (folders stand for their files), or bytes that are no index.
*/
function parseIndex(bytes, objectFormat) {
	const entries = /* @__PURE__ */ new Map();
	if (bytes.length === 0) return entries;
	const form = readHeader(bytes, objectFormat);
	let offset = 12;
	let path = "";
	for (let left = form.count; left > 0; left -= 1) {
		const { flags, extended, cut, name, nul, next } = layoutAt(bytes, offset, form);
		path = (form.version === 4 ? path.slice(0, path.length - cut) : "") + bytes.toString("latin1", name, nul);
		const mode = bytes.readUInt32BE(offset + MODE_OFFSET);
		if (mode === 16384) throw new Error("a sparse index");
		const key = `${flags >> 12 & 3} ${path}`;
		entries.set(key, {
			key,
			mode,
			oid: bytes.toString("hex", offset + STAT_BYTES$1, offset + STAT_BYTES$1 + form.oidBytes),
			assumeUnchanged: (flags & ASSUME_UNCHANGED$1) !== 0,
			skipWorktree: (extended & SKIP_WORKTREE$1) !== 0,
			intentToAdd: (extended & INTENT_TO_ADD) !== 0
		});
		offset = next;
	}
	if (hasSplitExtension(bytes, offset, form.end)) throw new Error("a split index");
	return entries;
}
/** The same from `git ls-files --stage --debug -z`, for an index that only git can read. */
function parseIndexListing(listing) {
	const entries = /* @__PURE__ */ new Map();
	const form = /(\d{6}) ([0-9a-f]+) (\d)\t([^\0]*)\0(?: {2}[a-z]+: [^\n]*\n){4} {2}size: \d+\tflags: ([0-9a-f]+)\n/y;
	const text = listing.toString("latin1");
	while (form.lastIndex < text.length) {
		const match = form.exec(text);
		if (!match) throw new Error("git listed the index in a form that is not known");
		const [, mode = "", oid = "", stage = "", path = "", flagsHex = ""] = match;
		const flags = Number.parseInt(flagsHex, 16);
		const extended = flags >>> 16;
		const key = `${stage} ${path}`;
		entries.set(key, {
			key,
			mode: Number.parseInt(mode, 8),
			oid,
			assumeUnchanged: (flags & ASSUME_UNCHANGED$1) !== 0,
			skipWorktree: (extended & SKIP_WORKTREE$1) !== 0,
			intentToAdd: (extended & INTENT_TO_ADD) !== 0
		});
	}
	return entries;
}
/** Each difference as a phrase that begins with the path, such as `a.txt was staged`. */
function describeIndexChanges(before, after) {
	const phrases = [];
	for (const [key, old] of before) {
		const now = after.get(key);
		if (!now) phrases.push(`${pathOf(key)} was removed`);
		else phrases.push(...describeEntry(pathOf(key), old, now));
	}
	for (const [key, now] of after) {
		if (before.has(key)) continue;
		phrases.push(now.intentToAdd ? `${pathOf(key)} was marked as intent-to-add` : `${pathOf(key)} was added (${now.oid.slice(0, 7)})`);
	}
	return phrases;
}
function describeEntry(path, old, now) {
	const phrases = [];
	if (old.oid !== now.oid) phrases.push(`${path} was staged (${old.oid.slice(0, 7)} to ${now.oid.slice(0, 7)})`);
	else if (old.intentToAdd && !now.intentToAdd) phrases.push(`${path} was staged (intent-to-add before)`);
	if (old.mode !== now.mode) phrases.push(`${path} changed its mode (${old.mode.toString(8)} to ${now.mode.toString(8)})`);
	if (old.skipWorktree !== now.skipWorktree) phrases.push(`${path} ${now.skipWorktree ? "was marked" : "is no longer marked"} as skip-worktree`);
	if (old.assumeUnchanged !== now.assumeUnchanged) phrases.push(`${path} ${now.assumeUnchanged ? "was marked" : "is no longer marked"} as assume-unchanged`);
	return phrases;
}
function pathOf(key) {
	const path = Buffer.from(key.slice(2), "latin1").toString("utf8");
	return key.startsWith("0") ? path : `${path} (conflict stage ${key[0]})`;
}
function readHeader(bytes, objectFormat) {
	if (bytes.toString("latin1", 0, 4) !== "DIRC" || bytes.length < 12) throw new Error("not an index file");
	const version = bytes.readUInt32BE(4);
	if (version < 2 || version > 4) throw new Error(`unknown index version ${version}`);
	const oidBytes = objectFormat === "sha1" ? 20 : 32;
	return {
		version,
		count: bytes.readUInt32BE(8),
		oidBytes,
		end: bytes.length - oidBytes
	};
}
/** Where the parts of the entry at `start` are: its name from `name` to `nul`, the next entry at `next`. */
function layoutAt(bytes, start, { version, oidBytes, end }) {
	let name = start + STAT_BYTES$1 + oidBytes + 2;
	if (name > end) throw new Error("the index file is cut off");
	const flags = bytes.readUInt16BE(name - 2);
	let extended = 0;
	if (version > 2 && (flags & EXTENDED$1) !== 0) {
		extended = bytes.readUInt16BE(name);
		name += 2;
	}
	let cut = 0;
	if (version === 4) [cut, name] = readVarint$1(bytes, name);
	const nul = bytes.indexOf(0, name);
	if (nul < 0 || nul > end) throw new Error("the index file is cut off");
	const next = version === 4 ? nul + 1 : start + (nul - start + 8 & -8);
	return {
		flags,
		extended,
		cut,
		name,
		nul,
		next
	};
}
/** Git's offset encoding: seven bits a byte, each continuation adding one. */
function readVarint$1(bytes, at) {
	let offset = at;
	let byte = bytes.readUInt8(offset++);
	let value = byte & 127;
	while ((byte & 128) !== 0) {
		byte = bytes.readUInt8(offset++);
		value = (value + 1) * 128 + (byte & 127);
	}
	return [value, offset];
}
function hasSplitExtension(bytes, from, end) {
	for (let offset = from; offset + 8 <= end; offset += 8 + bytes.readUInt32BE(offset + 4)) if (bytes.toString("latin1", offset, offset + 4) === "link") return true;
	return false;
}
//#endregion
//#region src/evidence/loose-commit.ts
init_text();
const MAX_BYTES = 1024 * 1024;
const MAX_WALK = 50;
/** Reads a commit that is not packed yet, as one just made is not; an annotated tag leads to its commit. Null for all else. */
function readLooseCommit(objectsDir, id, hops = 2) {
	if (!/^[0-9a-f]{40,64}$/.test(id)) return null;
	const file = readPlainFile(join(objectsDir, id.slice(0, 2), id.slice(2)), MAX_BYTES);
	if (file.kind !== "file" || !file.bytes) return null;
	try {
		const text = inflateSync(file.bytes, { maxOutputLength: MAX_BYTES }).toString("utf8");
		const tagged = /^tag \d+\0object ([0-9a-f]+)\n/.exec(text);
		if (tagged?.[1] && hops > 0) return readLooseCommit(objectsDir, tagged[1], hops - 1);
		return text.startsWith("commit ") ? parseCommit(id, text) : null;
	} catch {
		return null;
	}
}
/** The commits that lead from `from` to `to` by first parents, newest first; null where no such way is found among loose ones. */
function commitsBetween(objectsDir, from, to) {
	const commits = [];
	let id = to;
	while (id !== void 0 && commits.length < MAX_WALK) {
		const commit = readLooseCommit(objectsDir, id);
		if (!commit) return null;
		commits.push(commit);
		if (commit.parents.includes(from)) return commits;
		id = commit.parents[0];
	}
	return null;
}
/** `2 commits, the last "subject"`. */
function describeCommits(commits) {
	const subject = JSON.stringify(commits[0]?.subject ?? "");
	return commits.length === 1 ? `1 commit ${subject}` : `${commits.length} commits, the last ${subject}`;
}
function parseCommit(id, text) {
	const end = text.indexOf("\n\n");
	const header = end < 0 ? text : text.slice(0, end);
	const body = end < 0 ? "" : text.slice(end + 2);
	return {
		id,
		parents: [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? ""),
		subject: truncate(oneLine(body.split("\n", 1)[0] ?? ""), 100),
		committedAt: Number(/^committer .* (\d+) [+-]\d+$/m.exec(header)?.[1] ?? NaN)
	};
}
//#endregion
//#region src/evidence/ref-moves.ts
init_text();
const MAX_SENTENCES = 20;
/** Background fetches and `git maintenance` move these. */
const REMOTE = /^refs\/(remotes|prefetch)\//;
/** What the commands that make commits write into a reflog. */
const COMMITTING = /^(commit|merge|rebase|cherry-pick|revert|am|pull)\b/;
/** HEAD and every ref that differs but the stash, each with what it was and is. */
function describeMoves(before, after, entries) {
	const headMove = describeHead(before.head, after.head);
	const changes = refChanges(before.refs, after.refs).filter(({ name }) => name !== "refs/stash");
	if (!headMove && changes.length === 0) return {
		violations: [],
		notices: []
	};
	const known = knownTips(before);
	const judge = (sentence, change) => {
		const { kind, suffix } = describeTip(before, entries, known, change);
		return {
			kind,
			detail: sentence + suffix
		};
	};
	const remote = changes.filter(({ name }) => REMOTE.test(name));
	const own = changes.filter(({ name }) => !REMOTE.test(name));
	const branch = own.findIndex(({ name }) => name === after.head?.symbolic);
	if (branch > 0) own.unshift(...own.splice(branch, 1));
	const violations = headMove ? [judge(headMove.sentence, headMove.change)] : [];
	violations.push(...own.slice(0, MAX_SENTENCES).map((change) => judge(describeRef(change), change)));
	const untold = own.length - MAX_SENTENCES;
	if (untold > 0) violations.push({
		kind: "ref",
		detail: `${untold} more refs differ`
	});
	return {
		violations,
		notices: remote.length > 0 ? [`remote-tracking refs moved: ${listed(remote.map(describeRef))}`] : []
	};
}
/** A HEAD that moved by itself: to another branch, or detached. Where its branch moved, that ref says so. */
function describeHead(old, now) {
	if (!old || !now) return null;
	if (old.symbolic === now.symbolic && (old.symbolic !== null || old.commit === now.commit)) return null;
	const [from, to] = [old.symbolic ?? short(old.commit), now.symbolic ?? short(now.commit)];
	return {
		sentence: `HEAD moved from ${from} to ${to}`,
		change: {
			name: "HEAD",
			before: old.commit,
			after: now.symbolic === null ? now.commit : null
		}
	};
}
/** A sentence such as `refs/heads/main moved from 1a2b3c4 to 5d6e7f8`. */
function describeRef({ name, before, after }) {
	if (before === null) return `${name} is new, at ${short(after)}`;
	if (after === null) return `${name} was deleted (it was at ${short(before)})`;
	return `${name} moved from ${short(before)} to ${short(after)}`;
}
/**
* Whether a ref came where it is by a commit of this run. Three things can tell, and each can be missing: the way back
* to its old place over commits that are not packed yet, the reflog of HEAD, and the date of the commit itself.
*/
function describeTip(before, entries, known, change) {
	const { after: tip } = change;
	if (tip === null || known.has(tip)) return {
		kind: "ref",
		suffix: ""
	};
	const objects = before.objectsDir;
	const from = change.before ?? before.head?.commit ?? null;
	const commits = from === null ? null : commitsBetween(objects, from, tip);
	const commit = readLooseCommit(objects, tip);
	if (commit !== null && known.has(commit.id)) return {
		kind: "ref",
		suffix: ""
	};
	const logged = entries.find(({ to, message }) => to === tip && COMMITTING.test(message));
	const made = change.before !== null && commits !== null || logged !== void 0 || commit !== null && commit.committedAt >= before.readAt;
	if (commits) return {
		kind: made ? "commit" : "ref",
		suffix: `: ${describeCommits(commits)}`
	};
	if (logged) return {
		kind: "commit",
		suffix: `: ${JSON.stringify(truncate(oneLine(logged.message), 120))}`
	};
	return {
		kind: made ? "commit" : "ref",
		suffix: commit ? `: ${JSON.stringify(commit.subject)}` : ""
	};
}
function knownTips(state) {
	const tips = new Set(allRefs(state.refs).values());
	if (state.head?.commit) tips.add(state.head.commit);
	return tips;
}
/** An object id as people write it; other values as they are. */
function short(id) {
	if (id === null) return "no commit";
	return /^[0-9a-f]{40,64}$/.test(id) ? id.slice(0, 7) : id;
}
//#endregion
//#region src/evidence/git-dir-difference.ts
init_errors();
init_text();
/** Pure but for a few loose commits, read to name their subjects. */
function compareGitDirs(before, after) {
	const difference = {
		violations: [],
		notices: [],
		gaps: [...new Set([...before.gaps, ...after.gaps])],
		configChanged: false
	};
	const violation = (kind, detail) => void difference.violations.push({
		kind,
		detail
	});
	const name = (path) => shortPath(before.place.top, path);
	if (before.identity !== after.identity && before.identity !== null && after.identity !== null) {
		const gone = after.identity === "";
		violation("git-config", `${name(before.place.gitDir)} ${gone ? "is gone" : "was replaced by another directory"}`);
		difference.configChanged = true;
		if (gone) return difference;
	}
	compareHistory(before, after, difference);
	compareUnfinished(before, after, violation);
	compareIndexes(before, after, difference);
	const settings = compareGitSettings(before.settings, after.settings, name);
	difference.violations.push(...settings);
	difference.configChanged = difference.violations.some(({ kind }) => kind === "git-config");
	for (const [worktree, head] of before.otherHeads) {
		const now = after.otherHeads.get(worktree);
		if (now !== void 0 && now !== head) difference.notices.push(`HEAD of ${worktree} moved from ${showHead(head)} to ${showHead(now)}`);
	}
	return difference;
}
/** `path` relative to the top of the tree where it lies in it. */
function shortPath(top, path) {
	const way = relative(top, path).replaceAll("\\", "/");
	return way === "" || way.startsWith("..") ? path : way;
}
function compareHistory(before, after, difference) {
	const newEntries = compareHeadReflogs(before, after, difference.gaps);
	const moves = describeMoves(before, after, newEntries.added);
	difference.violations.push(...moves.violations);
	difference.notices.push(...moves.notices);
	const headMoved = before.head?.commit !== after.head?.commit || before.head?.symbolic !== after.head?.symbolic;
	const committed = newEntries.added.some(({ message }) => COMMITTING.test(message));
	const told = difference.violations.some(({ kind }) => kind === "commit");
	if (newEntries.added.length > 0 && (committed ? !told : !headMoved)) difference.violations.push({
		kind: committed ? "commit" : "ref",
		detail: `the reflog of HEAD grew: ${showEntries$1(newEntries.added)}`
	});
	if (newEntries.lost.length > 0) difference.violations.push({
		kind: "ref",
		detail: `the reflog of HEAD lost ${showEntries$1(newEntries.lost)}`
	});
	compareStashes(before, after, difference);
	const [old, now] = [before.origHead, after.origHead];
	if (old !== now && old !== null && now !== null && difference.violations.length === 0) difference.violations.push({
		kind: "ref",
		detail: `ORIG_HEAD moved from ${short(old || null)} to ${short(now || null)}: HEAD was moved and moved back`
	});
}
/** The entries that came and went; a log that was written to no effect is a gap: entries may have come and gone. */
function compareHeadReflogs(before, after, gaps) {
	if (!before.reflogs.head || !after.reflogs.head) return {
		added: [],
		lost: []
	};
	const { added, lost, rewritten } = compareReflogs(before.reflogs.head, after.reflogs.head, true);
	if (rewritten) gaps.push("the reflog of HEAD was rewritten: entries may have come and gone");
	return {
		added,
		lost
	};
}
function compareStashes(before, after, difference) {
	const change = refChanges(before.refs, after.refs).find(({ name }) => name === "refs/stash");
	const [old, now] = [before.reflogs.stash, after.reflogs.stash];
	const log = old && now ? compareReflogs(old, now, false) : {
		added: [],
		lost: [],
		rewritten: false
	};
	const parts = [
		...change ? [describeRef(change)] : [],
		...log.added.length > 0 ? [`stashed ${showEntries$1(log.added)}`] : [],
		...log.lost.length > 0 ? [`dropped ${showEntries$1(log.lost)}`] : []
	];
	if (parts.length > 0) difference.violations.push({
		kind: "stash",
		detail: `the stash changed: ${parts.join("; ")}`
	});
	else if (log.rewritten) difference.gaps.push("the reflog of the stash was rewritten: entries may have come and gone");
}
function compareUnfinished(before, after, violation) {
	for (const name of UNFINISHED) {
		const [old, now] = [before.unfinished.get(name), after.unfinished.get(name)];
		if (old === now || old === "unreadable" || now === "unreadable") continue;
		violation("ref", `${name} of the git directory ${old === void 0 ? "appeared" : now === void 0 ? "is gone" : "changed"}: a merge, rebase, cherry-pick, revert or bisect was started or ended`);
	}
}
function compareIndexes(before, after, difference) {
	const [old, now] = [before.index, after.index];
	if (!old || !now || old.bytes.equals(now.bytes)) return;
	if (!old.entries && !now.entries && differOnlyInStats(old.bytes, now.bytes, before.objectFormat)) return;
	try {
		const entriesOf = (state) => state.entries ?? parseIndex(state.bytes, before.objectFormat);
		const changes = describeIndexChanges(entriesOf(old), entriesOf(now));
		if (changes.length > 0) difference.violations.push({
			kind: "index",
			detail: `the index changed: ${listed(changes)}`
		});
	} catch (error) {
		difference.gaps.push(`the index was written and could not be compared: ${messageOf$1(error)}`);
	}
}
/** Names come from the repository: nothing in a sentence may steer a terminal or break its line. */
function plainSentences(difference) {
	const { violations, notices, gaps, configChanged } = difference;
	return {
		violations: violations.map(({ kind, detail }) => ({
			kind,
			detail: oneLine(detail)
		})),
		notices: notices.map(oneLine),
		gaps: [...new Set(gaps.map(oneLine))],
		configChanged
	};
}
function showEntries$1(entries) {
	return listed(entries.map(({ message }) => JSON.stringify(truncate(oneLine(message), 120))));
}
function showHead(text) {
	return text.startsWith("ref:") ? text.slice(4).trim() : short(text);
}
//#endregion
//#region src/evidence/reftable.ts
const NEWEST = "1000";
/** Asks git for what no plain read can tell. Throws where git gives no answer. */
async function readReftable(ask) {
	const refs = {
		loose: parseRefList((await answered(ask, ["for-each-ref", "--format=%(refname) %(objectname) %(symref)"])).stdout),
		packed: Buffer.alloc(0),
		complete: true
	};
	const symbolic = await ask([
		"symbolic-ref",
		"-q",
		"HEAD"
	]);
	const commit = await ask([
		"rev-parse",
		"-q",
		"--verify",
		"HEAD"
	]);
	const head = {
		symbolic: lineOf(symbolic),
		commit: lineOf(commit)
	};
	return {
		refs,
		head,
		reflogs: {
			head: head.commit === null ? noLog() : await readLog(ask, "HEAD"),
			stash: refs.loose.has("refs/stash") ? await readLog(ask, "refs/stash") : noLog()
		}
	};
}
/** Lines of `<name> <object id> <target of a symbolic ref>`. */
function parseRefList(listing) {
	const refs = /* @__PURE__ */ new Map();
	for (const line of listing.toString("utf8").split("\n")) {
		const [name = "", id = "", target = ""] = line.split(" ");
		if (name !== "") refs.set(name, target === "" ? id : `ref: ${target}`);
	}
	return refs;
}
/** The newest entries as the lines of a reflog file. Without the flag a configured `gpg.program` would run. */
async function readLog(ask, ref) {
	const { stdout } = await answered(ask, [
		"log",
		"-g",
		"--no-show-signature",
		`--max-count=${NEWEST}`,
		"--format=%H%x09%gs",
		ref,
		"--"
	]);
	const lines = stdout.toString("utf8").split("\n").filter(Boolean).reverse();
	const tail = Buffer.from(lines.map((line) => `${"0".repeat(line.indexOf("	"))} ${line.replace("	", " git	")}\n`).join(""));
	return {
		size: tail.length,
		stamp: "",
		tail
	};
}
async function answered(ask, args) {
	const output = await ask(args);
	if (output.code !== 0) throw new Error(`git ${args[0] ?? ""} failed: ${output.stderr.trim()}`);
	return output;
}
function lineOf({ code, stdout }) {
	return code === 0 ? stdout.toString("utf8").trim() : null;
}
function noLog() {
	return {
		size: 0,
		stamp: "",
		tail: Buffer.alloc(0)
	};
}
//#endregion
//#region src/evidence/boundary.ts
init_errors();
init_trusted();
/**
* Reads the boundary, as plain files; git is asked only for what no plain read can tell (reftables, a split or a sparse
* index). Never rejects: what cannot be read is one of `gaps`.
*/
async function readBoundary(repository, options) {
	const { top, gitDir, commonDir, objectFormat } = repository;
	const { env, cwd, gitTimeoutMs, signal, runDir } = options;
	const gaps = [];
	const state = readGitDir({
		top,
		gitDir,
		commonDir,
		env
	}, objectFormat);
	const agent = readAgentSettings({
		top,
		cwd,
		home: env["HOME"],
		runDir
	}, (gap) => gaps.push(gap));
	const ask = (args) => trustedGit(repository, args, {
		env,
		timeoutMs: gitTimeoutMs,
		...signal && { signal }
	});
	try {
		if (usesReftable(commonDir)) Object.assign(state, await readReftable(ask));
		if (state.index && needsGitToList(gitDir, state.index.bytes)) state.index.entries = await listIndex(ask);
	} catch (error) {
		gaps.push(`git could not list the refs or the index: ${messageOf$1(error)}`);
	}
	return {
		top,
		gitDir: state,
		agent,
		gaps
	};
}
/** What differs between two looks: each violation a sentence for a person. Nothing at all where nothing was touched. */
function compareBoundary(before, after) {
	const { violations, notices, gaps, configChanged } = compareGitDirs(before.gitDir, after.gitDir);
	const settings = compareAgentSettings(before.agent, after.agent, (path) => shortPath(before.top, path));
	return plainSentences({
		violations: [...violations, ...settings.map((detail) => ({
			kind: "agent-settings",
			detail
		}))],
		notices,
		gaps: [
			...gaps,
			...before.gaps,
			...after.gaps
		],
		configChanged
	});
}
/**
* A split index has its entries in a second file, a sparse one has folders in place of files: whether they are the same
* entries as before, only git knows. Rather too often than not: a false alarm costs one call.
*/
function needsGitToList(gitDir, index) {
	if (index.length === 0) return false;
	return index.includes("sdir\0\0\0\0") || readdirSync(gitDir).some((name) => name.startsWith("sharedindex."));
}
async function listIndex(ask) {
	const { code, stdout, stderr } = await ask([
		"ls-files",
		"--stage",
		"--debug",
		"-z"
	]);
	if (code !== 0) throw new Error(stderr.trim());
	return parseIndexListing(stdout);
}
//#endregion
//#region src/git/raw-diff.ts
/** Parses the output of `git diff-tree -r -z --raw --numstat`. Throws an Error where it has another form. */
function parseRawDiff(output) {
	const fields = rawPath(output).split("\0");
	const diff = {
		differences: [],
		lines: /* @__PURE__ */ new Map()
	};
	let at = 0;
	const next = () => {
		const field = fields[at++];
		if (!field) throw new Error("the output of git diff-tree is cut off");
		return field;
	};
	while (at < fields.length - 1) {
		const head = next();
		if (head.startsWith(":")) diff.differences.push(readDifference(head, next));
		else readLines(head, next, diff.lines);
	}
	return diff;
}
function readDifference(head, next) {
	const [oldMode = "", newMode = "", oldOid = "", newOid = "", letter = ""] = head.slice(1).split(" ");
	const status = letter[0];
	if (status === void 0) throw new Error(`git diff-tree printed a record of an unknown form: ${head}`);
	const first = next();
	const both = {
		status,
		oldMode,
		newMode,
		oldOid,
		newOid
	};
	return status === "R" || status === "C" ? {
		...both,
		from: first,
		path: next()
	} : {
		...both,
		path: first
	};
}
function readLines(head, next, lines) {
	const match = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(head);
	if (!match) throw new Error(`git diff-tree printed a record of an unknown form: ${head.slice(0, 80)}`);
	const [, added = "-", deleted = "-", name = ""] = match;
	let path = name;
	if (path === "") {
		next();
		path = next();
	}
	lines.set(path, {
		added: added === "-" ? null : Number(added),
		deleted: deleted === "-" ? null : Number(deleted)
	});
}
//#endregion
//#region src/evidence/left-out.ts
init_trusted();
init_layout();
const MAX_NAMED = 5;
/** Tells whether a path is one of `names`, or below one of them that is a folder (`folder/`). */
function coveredBy(listed) {
	const names = new Set(listed);
	return (path) => {
		if (names.has(path)) return true;
		for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) if (names.has(path.slice(0, slash + 1))) return true;
		return false;
	};
}
/** Sentences about files that were read as they lie on disk because their filter could not, or must not, run. */
async function unfilteredGaps({ git, withoutFilters }, paths) {
	if (withoutFilters.size === 0 || paths.length === 0) return [];
	const { code, stdout, stderr } = await git([
		"check-attr",
		"-z",
		"--stdin",
		"filter"
	], { input: pathList(paths) });
	if (code !== 0) return [`git check-attr failed: ${firstLine(stderr)}`];
	const fields = rawPath(stdout).split("\0");
	const affected = /* @__PURE__ */ new Map();
	for (let at = 0; at + 2 < fields.length; at += 3) {
		const [path, filter] = [fields[at], fields[at + 2]];
		if (path === void 0 || filter === void 0 || !withoutFilters.has(filter)) continue;
		affected.set(filter, [...affected.get(filter) ?? [], path]);
	}
	return [...affected].map(([filter, found]) => `the filter ${showPath(filter)} was not run (${withoutFilters.get(filter)}): ${namesOf(found)} compared as on disk`);
}
/** A few of the names, and how many more there are. */
function namesOf(paths) {
	const named = paths.slice(0, MAX_NAMED).map(showPath).join(", ");
	return paths.length > MAX_NAMED ? `${named} and ${paths.length - MAX_NAMED} more` : named;
}
/** Keeps the untracked paths that the second snapshot left out, so that a later look can leave out the same ones. */
function keepLeftOut(runDir, paths) {
	const file = leftOutFile(runDir);
	rmSync(file, { force: true });
	if (paths.length > 0) writeFileSync(file, pathList(paths), {
		flag: "wx",
		mode: 384
	});
}
function leftOutFile(runDir) {
	return join(artifactPath(runDir, "snapshot"), "left-out");
}
//#endregion
//#region src/evidence/attribution.ts
init_errors();
init_trusted();
const TREE = "040000";
const COMMIT = "160000";
const NO_OID = /^0+$/;
const PATCH = [
	"-p",
	"--binary",
	"--full-index",
	"--no-color",
	"--no-ext-diff",
	"--no-textconv",
	"--src-prefix=a/",
	"--dst-prefix=b/"
];
/** Compares the two trees, writes the patch, and keeps both sides of every change in the run's store. */
async function attribute(request) {
	const { before, after } = request;
	const written = writePatch(request);
	if (before === after) return {
		changes: [],
		gaps: [await written].filter((gap) => gap !== null)
	};
	const [{ diff, gap: linesGap }, dirty, patchGap] = await Promise.all([
		readDiff(request),
		pathsUnlike(request),
		written
	]);
	const belowRenamed = coveredBy(diff.differences.flatMap(({ from }) => from === void 0 ? [] : [`${from}/`]));
	if (diff.differences.some(({ path }) => belowRenamed(path))) await writePatch(request, "--no-renames");
	const keepGap = await keepBothSides(request, diff.differences);
	return {
		changes: changesOf$1(diff, dirty),
		gaps: [
			linesGap,
			patchGap,
			keepGap
		].filter((gap) => gap !== null)
	};
}
/** With renames and lines; without them where a content is missing (a partial clone), as nothing is fetched. */
async function readDiff({ git, before, after }) {
	const run = (...flags) => git([
		"diff-tree",
		"-r",
		"-t",
		"-z",
		"--raw",
		"--no-abbrev",
		"--no-ext-diff",
		"--no-textconv",
		...flags,
		before,
		after
	]);
	const full = await run("-M", "--numstat");
	if (full.code === 0) return {
		diff: parseRawDiff(full.stdout),
		gap: null
	};
	const bare = await run("--no-renames");
	if (bare.code !== 0) throw new BatonError("git-diff", `git diff-tree failed: ${firstLine(bare.stderr)}`);
	return {
		diff: parseRawDiff(bare.stdout),
		gap: `lines could not be counted: ${firstLine(full.stderr)}`
	};
}
/** The paths that differed from HEAD before the run; null stands for all of them. */
async function pathsUnlike({ git, base, before }) {
	if (base === null) return null;
	const { code, stdout, stderr } = await git([
		"diff-tree",
		"-r",
		"-z",
		"--no-renames",
		"--name-only",
		base,
		before
	]);
	if (code !== 0) throw new BatonError("git-diff", `git diff-tree failed: ${firstLine(stderr)}`);
	return new Set(rawPath(stdout).split("\0"));
}
/** Git writes the patch itself: it may be larger than memory. Then it takes its place, also where that is a link by now. */
async function writePatch({ git, before, after, patch, scratch }, renames = "-M") {
	const file = join(scratch, "changes.patch");
	rmSync(file, { force: true });
	writeFileSync(file, "", {
		mode: 384,
		flag: "wx"
	});
	const answer = before === after ? null : await git([
		"diff-tree",
		"-r",
		renames,
		...PATCH,
		`--output=${file}`,
		before,
		after
	]);
	renameSync(file, patch);
	return answer === null || answer.code === 0 ? null : `the patch is not complete: ${firstLine(answer.stderr)}`;
}
/** Copies what only the user's own store has: a `gc` there may drop it, and then nobody could show or land this run. */
async function keepBothSides({ git, objects, before, after }, differences) {
	const wanted = new Set([before, after]);
	for (const { oldMode, newMode, oldOid, newOid } of differences) {
		if (oldMode !== COMMIT && !NO_OID.test(oldOid)) wanted.add(oldOid);
		if (newMode !== COMMIT && !NO_OID.test(newOid)) wanted.add(newOid);
	}
	const borrowed = [...wanted].filter((oid) => !existsSync(join(objects, oid.slice(0, 2), oid.slice(2))));
	if (borrowed.length === 0) return null;
	const pack = join(objects, "pack", "pack");
	mkdirSync(dirname(pack), {
		recursive: true,
		mode: 448
	});
	const { code, stderr } = await git([
		"pack-objects",
		"-q",
		pack
	], { input: Buffer.from(`${borrowed.join("\n")}\n`) });
	return code === 0 ? null : `the contents before the run could not be copied: ${firstLine(stderr)}`;
}
function changesOf$1({ differences, lines }, dirty) {
	return differences.filter(({ oldMode, newMode }) => oldMode !== TREE && newMode !== TREE).map((difference) => {
		const { path, from, status } = difference;
		const count = lines.get(path);
		return {
			path: showPath(path),
			...from !== void 0 && { from: showPath(from) },
			kind: kindOf(difference),
			added: count?.added ?? null,
			deleted: count?.deleted ?? null,
			preexisting: dirty === null ? status !== "A" : dirty.has(path) || from !== void 0 && dirty.has(from)
		};
	});
}
function kindOf({ status, oldMode, newMode, oldOid, newOid }) {
	if (status === "A") return "added";
	if (status === "D") return "deleted";
	if (status === "R") return "renamed";
	if (status === "T") return "type";
	return oldOid === newOid && oldMode !== newMode ? "mode" : "modified";
}
//#endregion
//#region src/evidence/print.ts
init_errors();
const PIECE_BYTES = 1024 * 1024;
/** The print of what is at `path`, links not followed; null where nothing is. The content is read unless `earlier` has the same stamp. */
async function printOf(path, earlier, signal) {
	const print = statPrint(path);
	if (!print) return null;
	if (earlier && sameStamp(earlier, print)) return earlier;
	if (print.type === "other") return print;
	return {
		...print,
		digest: print.type === "link" ? digestOfLink(path) : await digestOfFile(path, signal)
	};
}
/** `lstat`, with null where nothing of that name can be, such as below a file or a link that leads to itself. */
function statOf(path) {
	try {
		return lstatSync(path, { bigint: true });
	} catch (error) {
		if ([
			"ENOENT",
			"ENOTDIR",
			"ELOOP"
		].includes(systemCode(error) ?? "")) return null;
		throw error;
	}
}
/** The print of what is at `path` from stat data alone; null where nothing is. */
function statPrint(path) {
	const stat = statOf(path);
	return stat ? printOfStat(stat) : null;
}
function printOfStat(stat) {
	return {
		type: stat.isFile() ? "file" : stat.isSymbolicLink() ? "link" : "other",
		executable: stat.isFile() && (stat.mode & 64n) !== 0n,
		size: stat.size,
		mtimeNs: stat.mtimeNs,
		stamp: `${stat.ctimeNs} ${stat.ino} ${stat.dev}`,
		digest: null
	};
}
function sameStamp(a, b) {
	return a.stamp === b.stamp && a.mtimeNs === b.mtimeNs && a.size === b.size && a.type === b.type && a.executable === b.executable;
}
/** What happened between two prints. `unsure`: it was written to, and whether that changed it cannot be told. */
function comparePrints(before, after) {
	if (before.type !== after.type) return "type";
	if (sameStamp(before, after)) return "same";
	if (before.size !== after.size) return "modified";
	if (before.digest !== null && after.digest !== null && before.digest !== after.digest) return "modified";
	if (before.executable !== after.executable) return "mode";
	return before.digest === null || after.digest === null ? before.type === "other" ? "same" : "unsure" : "same";
}
function digestOfLink(path) {
	return createHash("sha256").update(readlinkSync(path, "buffer")).digest("hex");
}
/** Reads piece by piece. A FIFO put in its place must not hold us, so it is opened without waiting and looked at again. */
async function digestOfFile(path, signal) {
	let file;
	try {
		file = await open(path, constants$1.O_RDONLY | (constants$1.O_NONBLOCK ?? 0) | (constants$1.O_NOFOLLOW ?? 0));
	} catch (error) {
		if ([
			"EACCES",
			"EPERM",
			"ENOENT",
			"ELOOP",
			"ENXIO"
		].includes(systemCode(error) ?? "")) return null;
		throw error;
	}
	try {
		if (!(await file.stat()).isFile()) return null;
		const hash = createHash("sha256");
		const piece = Buffer.allocUnsafe(PIECE_BYTES);
		for (;;) {
			if (signal?.aborted) throw new BatonError("aborted", "reading a large file was stopped");
			const { bytesRead } = await file.read(piece, 0, PIECE_BYTES);
			if (bytesRead === 0) return hash.digest("hex");
			hash.update(piece.subarray(0, bytesRead));
		}
	} finally {
		await file.close();
	}
}
//#endregion
//#region src/evidence/large-files.ts
/**
* Changes of the untracked files that are too large to keep: named, though the patch does not have them. `smallBefore`
* tells those that were small enough before.
*/
function compareLarge(before, after, smallBefore) {
	const changes = [];
	const gaps = [];
	for (const [path, now] of after) {
		const old = before.get(path) ?? null;
		const existed = old !== null || smallBefore.has(path);
		const difference = differenceOf(old, now, existed);
		if (difference === "same") continue;
		const shown = showPath(path);
		if (difference === "unsure") {
			gaps.push(`${shown} was written to: whether it changed cannot be told`);
			continue;
		}
		changes.push({
			path: shown,
			kind: difference,
			added: null,
			deleted: null,
			preexisting: existed
		});
		gaps.push(`${shown} is too large to keep: what changed in it is not in the patch`);
	}
	return {
		changes,
		gaps
	};
}
function differenceOf(old, now, existed) {
	if (old && now) return comparePrints(old, now);
	if (now) return existed ? "modified" : "added";
	return old ? "deleted" : "same";
}
//#endregion
//#region src/evidence/folder-prints.ts
init_errors();
/** After this many entries the event loop gets a turn: signals and other work must not wait for a huge folder. */
const ENTRIES_A_TURN = 1e3;
/**
* Walks `folder` (relative to `top`) with plain reads, links not followed. Contents are read while the budget lasts,
* and only where the stamp differs from the one in `earlier`; beyond it a print has no digest.
*/
async function printFolder(top, folder, { budget, earlier, signal }) {
	const found = {
		files: /* @__PURE__ */ new Map(),
		repositories: [],
		gaps: []
	};
	for await (const { path, entry } of walk(top, folder, budget, found.gaps, signal)) {
		if (entry.name === ".git") {
			found.repositories.push(path.slice(0, Math.max(0, path.length - 5)));
			continue;
		}
		if (entry.isDirectory()) continue;
		try {
			const print = await printWithin(pathIn(top, path), earlier?.get(path), budget, signal);
			if (print) found.files.set(path, print);
		} catch (error) {
			if (signal?.aborted) throw error;
			found.gaps.push(`${showPath(path)} cannot be read: ${systemCode(error) ?? messageOf$1(error)}`);
		}
	}
	return found;
}
/** The folders below `folder` that have a `.git`, with plain reads of folders alone. */
async function findRepositories(top, folder, budget, signal) {
	const found = {
		repositories: [],
		gaps: []
	};
	for await (const { path, entry } of walk(top, folder, budget, found.gaps, signal)) if (entry.name === ".git") found.repositories.push(path.slice(0, Math.max(0, path.length - 5)));
	return found;
}
async function* walk(top, folder, budget, gaps, signal) {
	const folders = [folder];
	for (let current = folders.pop(); current !== void 0; current = folders.pop()) {
		let entries;
		try {
			entries = readdirSync(pathIn(top, current), {
				withFileTypes: true,
				encoding: "latin1"
			});
		} catch (error) {
			if (systemCode(error) !== "ENOENT") gaps.push(`${showPath(current)} cannot be listed: ${systemCode(error)}`);
			continue;
		}
		for (const entry of entries) {
			budget.entries -= 1;
			if (budget.entries < 0) {
				gaps.push(`${showPath(folder)} holds too many files to look at all of them`);
				return;
			}
			if (budget.entries % ENTRIES_A_TURN === 0) {
				await setImmediate$1();
				if (signal?.aborted) throw new BatonError("aborted", "looking at nested repositories was stopped");
			}
			const path = current === "" ? entry.name : `${current}/${entry.name}`;
			yield {
				path,
				entry
			};
			if (entry.isDirectory() && entry.name !== ".git") folders.push(path);
		}
	}
}
async function printWithin(file, earlier, budget, signal) {
	const print = statPrint(file);
	if (!print) return null;
	if (earlier && sameStamp(earlier, print)) return earlier;
	budget.bytes -= Number(print.size);
	return budget.bytes < 0 ? print : printOf(file, void 0, signal);
}
//#endregion
//#region src/evidence/nested-boundary.ts
/** Reads HEAD, refs, reflogs, stash, index, configuration and hooks of each. Never throws and never runs git. */
function readNestedBoundary(nested) {
	return new Map(nested.map(({ path, top, gitDir }) => [path, readNested$1(top, gitDir)]));
}
/** What differs, each sentence beginning with the path. A repository that is new is a change of the tree, no violation. */
function compareNestedBoundary(before, after) {
	const all = {
		violations: [],
		notices: [],
		gaps: [],
		configChanged: false
	};
	for (const [path, old] of before) {
		const now = after.get(path);
		if (!now) {
			all.violations.push({
				kind: "git-config",
				detail: `${path}: this nested repository is gone`
			});
			continue;
		}
		const { violations, notices, gaps, configChanged } = compareGitDirs(old, now);
		all.violations.push(...violations.map(({ kind, detail }) => ({
			kind,
			detail: `${path}: ${detail}`
		})));
		all.notices.push(...notices.map((notice) => `${path}: ${notice}`));
		all.gaps.push(...gaps.map((gap) => `${path}: ${gap}`));
		all.configChanged ||= configChanged;
	}
	return plainSentences(all);
}
function readNested$1(top, gitDir) {
	const commonDir = commonDirOf$1(gitDir);
	const state = readGitDir({
		top,
		gitDir,
		commonDir,
		env: null
	}, objectFormatOf(commonDir));
	if (usesReftable(commonDir)) state.gaps.push("its refs are in tables that only git can read, and git is not run in nested repositories");
	return state;
}
/** A nested repository may be a linked worktree of yet another one. */
function commonDirOf$1(gitDir) {
	try {
		return realpathSync(resolve(gitDir, readSmallFile(join(gitDir, "commondir"), 4096).toString("utf8").trim()));
	} catch {
		return gitDir;
	}
}
function objectFormatOf(commonDir) {
	try {
		return /^\s*objectformat\s*=\s*sha256\s*$/im.test(readSmallFile(join(commonDir, "config"), 65536).toString("utf8")) ? "sha256" : "sha1";
	} catch {
		return "sha1";
	}
}
//#endregion
//#region src/evidence/nested-place.ts
/** What the sandbox must not write: each `.git`, and the directory that it stands for. Absolute, real paths. */
function nestedGitDirs(repositories) {
	const paths = repositories.flatMap(({ top, gitDir }) => [
		join(top, ".git"),
		gitDir,
		commonDirOf(gitDir)
	]);
	return [...new Set(paths.flatMap((path) => realPath(path) ?? []))];
}
/** The repository whose working tree is `path`; null where its `.git` leads nowhere. */
function openNested(top, path) {
	const folder = join(top, showPath(path));
	const gitDir = gitDirOf(folder);
	return gitDir === null ? null : {
		path: showPath(path),
		top: folder,
		gitDir
	};
}
/** Where `.git` leads: a folder itself, or named by a file (submodules, linked worktrees). Null where it leads nowhere. */
function gitDirOf(folder) {
	const dotGit = join(folder, ".git");
	try {
		if (lstatSync(dotGit).isDirectory()) return realpathSync(dotGit);
		const target = /^gitdir: (.*?)\n*$/s.exec(readSmallFile(dotGit, 4096).toString("utf8"))?.[1];
		return target === void 0 ? realpathSync(dotGit) : realpathSync(resolve(folder, target));
	} catch {
		return null;
	}
}
function commonDirOf(gitDir) {
	try {
		return resolve(gitDir, readSmallFile(join(gitDir, "commondir"), 4096).toString("utf8").trim());
	} catch {
		return gitDir;
	}
}
/** A linked worktree of the same repository that lies inside this one: its refs are watched as our own. */
function sharesOurs({ gitDir }, { commonDir }) {
	const way = relative(join(commonDir, "worktrees"), gitDir);
	return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
/** Whether a folder has a `.git`. One that may not be searched has none that counts: git names it as unreadable. */
function hasGit(top, folder) {
	try {
		return statOf(pathIn(top, `${folder}/.git`)) !== null;
	} catch {
		return false;
	}
}
function realPath(path) {
	try {
		return realpathSync(path);
	} catch {
		return null;
	}
}
//#endregion
//#region src/git/index-scan.ts
const ASSUME_UNCHANGED = 32768;
const EXTENDED = 16384;
const SKIP_WORKTREE = 16384;
const NAME_LENGTH = 4095;
const GITLINK = 57344;
/** A sparse index has whole folders as entries; git looks into them by itself where they are on disk. */
const FOLDER = 16384;
const SLASH = 47;
const STAT_BYTES = 40;
const MODE_AT = 24;
const SIZE_AT$1 = 36;
/** Reads index versions 2 to 4. Throws an Error for bytes that are none. */
function scanIndex(bytes, objectFormat) {
	const scan = {
		hidden: [],
		gitlinks: [],
		folders: /* @__PURE__ */ new Set(),
		tree: null,
		newest: 0,
		split: false
	};
	let last = null;
	const end = passEntries(bytes, objectFormat, (entry) => {
		const folder = entry.folder();
		if (folder !== last) scan.folders.add(last = folder);
		if (entry.ctime > scan.newest) scan.newest = entry.ctime;
		if (entry.mode === GITLINK) scan.gitlinks.push(entry.path());
		else if ((entry.assumeUnchanged || entry.skipWorktree) && entry.mode !== FOLDER) scan.hidden.push({
			path: entry.path(),
			flagsAt: entry.flagsAt,
			extendedAt: entry.extendedAt
		});
	});
	for (const { name, content } of extensions(bytes, end, objectFormat)) {
		if (name === "link") scan.split = true;
		if (name === "TREE") scan.tree = rootTree(content, oidBytesOf(objectFormat));
	}
	return scan;
}
/** Takes both bits off these entries, in place, and signs the file again. */
function showEntries(bytes, entries, objectFormat) {
	for (const { flagsAt, extendedAt } of entries) {
		bytes.writeUInt16BE(bytes.readUInt16BE(flagsAt) & ~ASSUME_UNCHANGED, flagsAt);
		if (extendedAt) bytes.writeUInt16BE(bytes.readUInt16BE(extendedAt) & ~SKIP_WORKTREE, extendedAt);
	}
	sign(bytes, objectFormat);
}
/**
* Forgets the size of every entry that changed at `since` (seconds) or later, in place, as git itself does where it
* cannot trust a time: it then reads these files again. Git keeps whole seconds, so a file that is written twice within
* one and has its mtime put back would look untouched. Returns whether there was any.
*/
function distrustEntries(bytes, objectFormat, since) {
	let any = false;
	passEntries(bytes, objectFormat, ({ start, ctime }) => {
		if (ctime < since) return;
		bytes.writeUInt32BE(0, start + SIZE_AT$1);
		any = true;
	});
	if (any) sign(bytes, objectFormat);
	return any;
}
function sign(bytes, objectFormat) {
	const end = bytes.length - oidBytesOf(objectFormat);
	createHash(objectFormat).update(bytes.subarray(0, end)).digest().copy(bytes, end);
}
/** Visits every entry with one cursor object, which moves; returns where the extensions begin. */
function passEntries(bytes, objectFormat, visit) {
	if (bytes.length === 0) return 0;
	const version = bytes.length > 12 && bytes.toString("latin1", 0, 4) === "DIRC" ? bytes.readUInt32BE(4) : 0;
	if (version < 2 || version > 4) throw new Error("not an index file of a version that is known (2 to 4)");
	const cursor = version === 4 ? new CompressedCursor(bytes, oidBytesOf(objectFormat)) : new PlainCursor(bytes, oidBytesOf(objectFormat));
	for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
		cursor.advance();
		visit(cursor);
	}
	return cursor.next;
}
/** Versions 2 and 3: whole names, each entry filled up to a multiple of eight bytes. */
var PlainCursor = class {
	start = 0;
	flagsAt = 0;
	extendedAt = 0;
	/** Where the entry after this one begins. */
	next = 12;
	nameAt = 0;
	nul = 0;
	flags = 0;
	bytes;
	oidBytes;
	constructor(bytes, oidBytes) {
		this.bytes = bytes;
		this.oidBytes = oidBytes;
	}
	advance() {
		this.start = this.next;
		this.flagsAt = this.start + STAT_BYTES + this.oidBytes;
		this.flags = this.bytes.readUInt16BE(this.flagsAt);
		this.extendedAt = (this.flags & EXTENDED) === 0 ? 0 : this.flagsAt + 2;
		this.nameAt = this.flagsAt + (this.extendedAt === 0 ? 2 : 4);
		this.readName(this.flags & NAME_LENGTH);
	}
	readName(length) {
		this.nul = length < NAME_LENGTH ? this.nameAt + length : this.findNul(this.nameAt);
		this.next = this.start + (this.nul - this.start + 8 & -8);
	}
	findNul(from) {
		const nul = this.bytes.indexOf(0, from);
		if (nul < 0) throw new Error("the index file is cut off");
		return nul;
	}
	get mode() {
		return this.bytes.readUInt32BE(this.start + MODE_AT);
	}
	get ctime() {
		return this.bytes.readUInt32BE(this.start);
	}
	get assumeUnchanged() {
		return (this.flags & ASSUME_UNCHANGED) !== 0;
	}
	get skipWorktree() {
		return this.extendedAt !== 0 && (this.bytes.readUInt16BE(this.extendedAt) & SKIP_WORKTREE) !== 0;
	}
	path() {
		return this.bytes.toString("latin1", this.nameAt, this.nul);
	}
	folder() {
		let slash = this.nul - 1;
		while (slash > this.nameAt && this.bytes[slash] !== SLASH) slash -= 1;
		return slash <= this.nameAt ? "" : this.bytes.toString("latin1", this.nameAt, slash);
	}
};
/** Version 4: each name says how much to drop from the end of the one before it, and what to add. */
var CompressedCursor = class extends PlainCursor {
	name = "";
	readName() {
		const [drop, from] = readVarint(this.bytes, this.nameAt);
		const nul = this.findNul(from);
		this.name = this.name.slice(0, this.name.length - drop) + rawPath(this.bytes.subarray(from, nul));
		this.next = nul + 1;
	}
	path() {
		return this.name;
	}
	folder() {
		return this.name.slice(0, Math.max(0, this.name.lastIndexOf("/")));
	}
};
function* extensions(bytes, from, objectFormat) {
	const end = bytes.length - oidBytesOf(objectFormat);
	for (let at = from; at + 8 <= end;) {
		const contentAt = at + 8;
		const contentEnd = contentAt + bytes.readUInt32BE(at + 4);
		yield {
			name: bytes.toString("latin1", at, at + 4),
			content: bytes.subarray(contentAt, contentEnd)
		};
		at = contentEnd;
	}
}
/** The first record is the top: an empty name, `<entries> <subtrees>\n`, the id. Fewer than no entries means not valid. */
function rootTree(extension, oidBytes) {
	const lineEnd = extension.indexOf(10);
	if (extension[0] !== 0 || lineEnd < 0 || extension[1] === 45) return null;
	return extension.toString("hex", lineEnd + 1, lineEnd + 1 + oidBytes);
}
function oidBytesOf(objectFormat) {
	return objectFormat === "sha1" ? 20 : 32;
}
/** Git's offset encoding: seven bits a byte, each continuation adding one. */
function readVarint(bytes, from) {
	let at = from;
	let byte = bytes.readUInt8(at++);
	let value = byte & 127;
	while ((byte & 128) !== 0) {
		byte = bytes.readUInt8(at++);
		value = (value + 1) * 128 + (byte & 127);
	}
	return [value, at];
}
//#endregion
//#region src/evidence/submodule-state.ts
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** Offsets in an index entry: seconds and nanoseconds of the file's time, and its size. */
const MTIME_AT = 8;
const SIZE_AT = 36;
/**
* A sentence where a submodule does not look as it was checked out; null where it does. Git is not asked: its own index
* is read, and the stat data in it compared. Callers count on a dirty submodule being unknown rather than clean.
*/
function dirtySubmodule(repository, path, files) {
	const gitDir = gitDirOf(join(repository.top, showPath(path)));
	if (gitDir === null || !files) return null;
	const index = readPlainFile(join(gitDir, "index"), MAX_INDEX_BYTES);
	if (index.kind !== "file" || !index.bytes) return `${showPath(path)}: the index of this submodule cannot be read`;
	const { bytes } = index;
	const unseen = new Set(files.keys());
	let differing = 0;
	try {
		passEntries(bytes, repository.objectFormat, (entry) => {
			const file = `${path}/${entry.path()}`;
			const print = files.get(file);
			unseen.delete(file);
			if (print && looksLike(print, bytes, entry.start)) return;
			if (!(entry.skipWorktree || (entry.mode & 61440) === 57344)) differing += 1;
		});
	} catch {
		return `${showPath(path)}: the index of this submodule cannot be read`;
	}
	const count = differing + unseen.size;
	return count === 0 ? null : `${showPath(path)}: this submodule had changes of its own before the run (${count} paths)`;
}
function looksLike(print, bytes, start) {
	const seconds = bytes.readUInt32BE(start + MTIME_AT);
	const nanoseconds = bytes.readUInt32BE(start + MTIME_AT + 4);
	const mtime = BigInt(seconds) * 1000000000n + BigInt(nanoseconds);
	return print.mtimeNs === mtime && BigInt.asUintN(32, print.size) === BigInt(bytes.readUInt32BE(start + SIZE_AT));
}
//#endregion
//#region src/evidence/nested.ts
const CONTENT_BUDGET = {
	entries: 5e4,
	bytes: 64 * 1024 * 1024
};
/** For the search in ignored folders, which only lists. A large `node_modules` has about 50,000 entries. */
const IGNORED_ENTRIES = 2e5;
/** Finds and reads them, before the run. */
async function readNested(repository, { scan, status }, isOwn, signal) {
	const { roots, inside, gaps } = await readRoots(repository, [...scan.gitlinks, ...status.nested], isOwn, void 0, signal);
	const paths = new Set([...inside, ...[...scan.folders].filter((folder) => folder !== "" && hasGit(repository.top, folder))]);
	const budget = {
		entries: IGNORED_ENTRIES,
		bytes: 0
	};
	for (const folder of status.ignored.filter((path) => path.endsWith("/"))) {
		const found = await findRepositories(repository.top, folder.slice(0, -1), budget, signal);
		for (const path of found.repositories) paths.add(path);
		gaps.push(...found.gaps.map((gap) => `ignored: ${gap}, so repositories in there may have been missed`));
		if (budget.entries < 0) break;
	}
	const repositories = [...paths].flatMap((path) => openNested(repository.top, path) ?? []);
	const watched = repositories.filter((nested) => !sharesOurs(nested, repository));
	const doubts = scan.gitlinks.flatMap((path) => dirtySubmodule(repository, path, roots.get(path)) ?? []);
	return {
		roots,
		repositories,
		boundary: readNestedBoundary(watched),
		gaps,
		doubts
	};
}
/** Reads them again after the run: those of before, and the ones that are new. */
async function readNestedAgain(repository, { status }, before, isOwn, signal) {
	const { roots, inside, gaps } = await readRoots(repository, [...new Set([...before.roots.keys(), ...status.nested])], isOwn, before.roots, signal);
	const known = new Set(before.repositories.map(({ path }) => path));
	const fresh = inside.filter((path) => !known.has(showPath(path))).flatMap((path) => openNested(repository.top, path) ?? []);
	const watched = [...before.boundary.keys()].flatMap((path) => openNested(repository.top, rawFrom(path)) ?? []);
	return {
		roots,
		repositories: [...before.repositories, ...fresh],
		boundary: readNestedBoundary(watched),
		gaps,
		doubts: before.doubts
	};
}
/** What differs. Files of nested repositories have no place in the tree, so they are named but have no lines. */
function compareNested(before, after) {
	const changes = [];
	const gaps = [...new Set([...before.gaps, ...after.gaps])];
	for (const [root, files] of after.roots) {
		const found = compareFiles(before.roots.get(root) ?? /* @__PURE__ */ new Map(), files, gaps);
		changes.push(...found);
		if (found.length > 0) gaps.push(`${showPath(root)} is a repository of its own: what changed in it is not in the patch`);
	}
	const known = new Set(before.repositories.map(({ path }) => path));
	const notices = after.repositories.filter(({ path }) => !known.has(path)).map(({ path }) => `a repository was made in ${path}`);
	const boundary = compareNestedBoundary(before.boundary, after.boundary);
	return {
		changes,
		boundary: {
			...boundary,
			notices: [...boundary.notices, ...notices]
		},
		gaps,
		doubts: after.doubts
	};
}
async function readRoots({ top }, folders, isOwn, earlier, signal) {
	const roots = /* @__PURE__ */ new Map();
	const inside = [];
	const gaps = [];
	const budget = { ...CONTENT_BUDGET };
	for (const folder of folders) {
		const file = pathIn(top, folder);
		if (!statOf(file)?.isDirectory()) {
			const itself = statPrint(file);
			roots.set(folder, new Map(itself ? [[folder, itself]] : []));
			continue;
		}
		const known = earlier?.get(folder);
		const found = await printFolder(top, folder, {
			budget,
			signal,
			...known && { earlier: known }
		});
		for (const path of found.files.keys()) if (isOwn(path)) found.files.delete(path);
		roots.set(folder, found.files);
		inside.push(...found.repositories);
		gaps.push(...found.gaps);
	}
	return {
		roots,
		inside,
		gaps
	};
}
function compareFiles(before, after, gaps) {
	const changes = [];
	const add = (path, kind, preexisting) => void changes.push({
		path: showPath(path),
		kind,
		added: null,
		deleted: null,
		preexisting
	});
	for (const [path, old] of before) {
		const now = after.get(path);
		const difference = now ? comparePrints(old, now) : "deleted";
		if (difference === "unsure") gaps.push(`${showPath(path)} was written to: whether it changed cannot be told`);
		else if (difference !== "same") add(path, difference, true);
	}
	for (const path of after.keys()) if (!before.has(path)) add(path, "added", false);
	return changes;
}
//#endregion
//#region src/git/status.ts
/** Fields before the path, by the record's first letter. */
const FIELDS = {
	"1": 8,
	u: 10
};
/** Throws an Error for a record of a form that is not known. */
function parseStatus(output) {
	const status = {
		dirty: [],
		untracked: [],
		nested: [],
		ignored: []
	};
	for (const record of rawPath(output).split("\0")) {
		const letter = record[0];
		if (letter === void 0 || letter === "#") continue;
		if (letter === "!") {
			status.ignored.push(record.slice(2));
			continue;
		}
		if (letter === "?") addUntracked(record.slice(2), status);
		else addTracked(letter, record, status);
	}
	return status;
}
function addUntracked(path, status) {
	if (path.endsWith("/")) status.nested.push(path.slice(0, -1));
	else status.untracked.push(path);
}
function addTracked(letter, record, status) {
	const count = FIELDS[letter];
	if (count === void 0) throw new Error(`git status printed a record of an unknown kind: ${record.slice(0, 40)}`);
	let at = 0;
	const fields = [];
	for (let left = count; left > 0; left -= 1) {
		const space = record.indexOf(" ", at);
		if (space < 0) throw new Error(`git status printed a record that is cut off: ${record.slice(0, 40)}`);
		fields.push(record.slice(at, space));
		at = space + 1;
	}
	const inWorktree = (fields[1] ?? "..")[1];
	const modeThere = letter === "1" ? fields[5] : fields[6];
	if (inWorktree !== ".") status.dirty.push({
		path: record.slice(at),
		gone: modeThere === "000000"
	});
}
//#endregion
//#region src/evidence/private-index.ts
init_errors();
init_trusted();
/** Copies the user's index with its time (git looks twice at files that are not older), and shows what it hides. */
async function copyUserIndex({ top, gitDir, objectFormat }, git, index) {
	if (!copyFileWithTimes(`${gitDir}/index`, index)) return scanIndex(Buffer.alloc(0), objectFormat);
	let bytes = readFileSync(index);
	let scan = scanIndex(bytes, objectFormat);
	if (scan.split) {
		const joined = await git(["update-index", "--no-split-index"], { index });
		if (joined.code !== 0) throw new BatonError("git-index", `the split index cannot be read: ${firstLine(joined.stderr)}`);
		bytes = readFileSync(index);
		scan = scanIndex(bytes, objectFormat);
	}
	showPresent(index, bytes, scan, {
		top,
		objectFormat
	});
	return scan;
}
/** Copies a private index, and shows what it still hides and is there by now. */
function copyPrivateIndex({ top, objectFormat }, from, to, scan) {
	const isThere = existence(top);
	if (!copyFileWithTimes(from, to) || !scan.hidden.some(({ path }) => isThere(path))) return;
	const bytes = readFileSync(to);
	showPresent(to, bytes, scanIndex(bytes, objectFormat), {
		top,
		objectFormat
	});
}
/** Makes git read again, later, what changed as late as `since` (seconds): see `distrustEntries`. */
function distrustRecent(index, { objectFormat }, since) {
	const bytes = readFileSync(index);
	if (distrustEntries(bytes, objectFormat, since)) rewriteWithTimes(index, bytes);
}
/** Only what is there: a sparse checkout has good reasons for what is not. */
function showPresent(index, bytes, { hidden }, { top, objectFormat }) {
	const isThere = existence(top);
	const present = hidden.filter(({ path }) => isThere(path));
	if (present.length === 0) return;
	showEntries(bytes, present, objectFormat);
	rewriteWithTimes(index, bytes);
}
/** A sparse checkout hides a million paths that are not there: their folders are asked first, once each. */
function existence(top) {
	const folders = /* @__PURE__ */ new Map();
	const folderIsThere = (folder) => {
		if (folder === "") return true;
		let known = folders.get(folder);
		if (known === void 0) {
			known = folderIsThere(parentOf(folder)) && isOnDisk(top, folder);
			folders.set(folder, known);
		}
		return known;
	};
	return (path) => folderIsThere(parentOf(path)) && isOnDisk(top, path);
}
function parentOf(path) {
	return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
function isOnDisk(top, path) {
	try {
		return lstatSync(pathIn(top, path), { throwIfNoEntry: false }) !== void 0;
	} catch {
		return true;
	}
}
/** Copies a file and its time of change; false where there is none. */
function copyFileWithTimes(from, to) {
	let fd;
	try {
		fd = openSync(from, "r");
	} catch (error) {
		if (systemCode(error) === "ENOENT") return false;
		throw new BatonError("git-index", `the index cannot be read: ${messageOf$1(error)}`);
	}
	try {
		const { mtimeNs } = fstatSync(fd, { bigint: true });
		writeFileSync(to, readFileSync(fd), { mode: 384 });
		setTimes(to, mtimeNs);
		return true;
	} finally {
		closeSync(fd);
	}
}
function rewriteWithTimes(path, bytes) {
	const { mtimeNs } = lstatSync(path, { bigint: true });
	writeFileSync(path, bytes);
	setTimes(path, mtimeNs);
}
/**
* Node sets times as a number of seconds, which is not exact to the nanosecond. A little too early is safe: git then
* reads a few files that it need not have read. Too late would make it trust one that it must not.
*/
function setTimes(path, mtimeNs) {
	const seconds = Number(mtimeNs / 1000n - 1n) / 1e6;
	const fd = openSync(path, "r+");
	try {
		futimesSync(fd, seconds, seconds);
	} finally {
		closeSync(fd);
	}
}
//#endregion
//#region src/evidence/triage.ts
init_errors();
function triage(status, rules) {
	const plan = {
		update: [],
		remove: [],
		large: [],
		gaps: []
	};
	for (const { path, gone } of status.dirty) if (!rules.isOwn(path)) place(path, gone, rules.untrackedBefore(path), rules, plan);
	for (const path of status.untracked) {
		if (rules.isOwn(path) || rules.leaveOut(path) || rules.largeBefore(path)) continue;
		place(path, false, true, rules, plan);
	}
	return plan;
}
function place(path, gone, untracked, rules, plan) {
	const file = pathIn(rules.top, path);
	let stat;
	try {
		stat = statOf(file);
	} catch (error) {
		plan.gaps.push(`${showPath(path)} cannot be looked at: ${systemCode(error)}`);
		return;
	}
	if (gone) plan.remove.push(path);
	else if (!stat) plan.update.push(path);
	else if (stat.isSymbolicLink()) plan.update.push(path);
	else if (!stat.isFile()) {
		plan.remove.push(path);
		if (!stat.isDirectory()) plan.gaps.push(`${showPath(path)} is not a file, a link or a folder: git cannot keep it`);
	} else if (!isReadable(file)) plan.gaps.push(`${showPath(path)} cannot be read: permission denied`);
	else if (untracked && stat.size > rules.maxUntrackedBytes) plan.large.push(path);
	else plan.update.push(path);
}
function isReadable(file) {
	try {
		accessSync(file, constants$1.R_OK);
		return true;
	} catch {
		return false;
	}
}
//#endregion
//#region src/evidence/snapshot.ts
init_errors();
init_trusted();
/** Git stops at the first path that it cannot read, so each costs a call. With more than these something else is wrong. */
const MAX_FAILING_PATHS = 20;
const LOOP = ": Too many levels of symbolic links";
const COMPLAINT = /^(error|fatal|warning): |: (Permission denied|Input\/output error|Stale file handle|Too many levels of symbolic links)$/;
const STATUS = [
	"status",
	"--porcelain=v2",
	"-z",
	"--no-renames",
	"--untracked-files=all",
	"--ignored=matching"
];
/**
* The first snapshot: begins with a copy of the user's index at `index`, in which nothing is hidden. Only the copy and
* the run's object store are written.
*/
async function takeSnapshot(request, index) {
	const since = Math.floor(Date.now() / 1e3) - 1;
	const scan = await copyUserIndex(request.repository, request.git, index);
	const { read, ...seen } = await bringUp(request, index, null);
	const written = (read.changed ? null : scan.tree) ?? await writeTree(request.git, index);
	if (read.changed || scan.newest >= since) distrustRecent(index, request.repository, since);
	return {
		...seen,
		read: read.paths,
		scan,
		index,
		indexPrint: statPrint(index),
		tree: written
	};
}
/** A later snapshot: begins with the index of the earlier one, which stays as it is, and makes its own at `index`. */
async function takeNextSnapshot(request, earlier, index) {
	const { scan } = earlier;
	if (!samePrint(statPrint(earlier.index), earlier.indexPrint)) throw new BatonError("git-index", "baton's own index in the run directory was changed during the run");
	copyPrivateIndex(request.repository, earlier.index, index, scan);
	const { read, ...seen } = await bringUp(request, index, earlier);
	const tree = read.changed ? await writeTree(request.git, index) : earlier.tree;
	return {
		...seen,
		read: read.paths,
		scan,
		index,
		indexPrint: statPrint(index),
		tree
	};
}
/** Looks at the whole tree once, and reads into the index what differs from it. */
async function bringUp(request, index, earlier) {
	const { repository, git, maxUntrackedBytes, isOwn, leaveOut } = request;
	const answer = await git(STATUS, { index });
	if (answer.code !== 0) throw new BatonError("git-status", `git status failed: ${firstLine(answer.stderr)}`);
	const status = parseStatus(answer.stdout);
	const lost = new Set(pathsBehindLoops(answer.stderr));
	for (const path of lost) status.dirty.push({
		path,
		gone: true
	});
	const plan = triage(status, {
		top: repository.top,
		maxUntrackedBytes,
		isOwn,
		leaveOut,
		untrackedBefore: (path) => earlier?.stored.has(path) ?? false,
		largeBefore: (path) => earlier?.large.has(path) ?? false
	});
	const gaps = [
		...complaints(answer.stderr, lost),
		...plan.gaps,
		...await applyPlan(git, index, plan)
	];
	return {
		status,
		read: {
			paths: plan.update,
			changed: plan.update.length + plan.remove.length > 0
		},
		stored: new Set(status.untracked.filter((path) => !isOwn(path))),
		large: await printLarge(request, [...plan.large, ...earlier?.large.keys() ?? []], earlier),
		gaps
	};
}
function samePrint(a, b) {
	return a === null || b === null ? a === b : sameStamp(a, b);
}
/** Brings the index up to the working tree. A path that git cannot read is left as it was and named. */
async function applyPlan(git, index, { update, remove }) {
	const gaps = [];
	if (remove.length > 0) {
		const removed = await git([
			"update-index",
			"-z",
			"--force-remove",
			"--stdin"
		], {
			index,
			input: pathList(remove)
		});
		if (removed.code !== 0) throw new BatonError("git-index", `git update-index failed: ${firstLine(removed.stderr)}`);
	}
	let left = update;
	while (left.length > 0) {
		const updated = await git([
			"update-index",
			"--add",
			"--remove",
			"--replace",
			"-z",
			"--stdin"
		], {
			index,
			input: pathList(left)
		});
		if (updated.code === 0) return [...gaps, ...complaints(updated.stderr)];
		const failing = failingPath(updated, left);
		if (failing === null || gaps.length >= MAX_FAILING_PATHS) throw new BatonError("git-index", `the changed files cannot be read: ${firstLine(updated.stderr)}`);
		gaps.push(`${showPath(failing)} cannot be read: ${firstLine(updated.stderr)}`);
		left = left.filter((path) => path !== failing);
	}
	return gaps;
}
function failingPath({ stderr }, paths) {
	const named = /^fatal: Unable to process path ([^]*)\n$/m.exec(stderr)?.[1];
	if (named === void 0) return null;
	return paths.find((path) => Buffer.from(path, "latin1").toString("utf8") === named) ?? null;
}
async function writeTree(git, index) {
	const { code, stdout, stderr } = await git(["write-tree", "--missing-ok"], { index });
	if (code !== 0) throw new BatonError("git-tree", `git write-tree failed: ${firstLine(stderr)}`);
	return stdout.toString("latin1").trim();
}
async function printLarge(request, paths, earlier) {
	const prints = /* @__PURE__ */ new Map();
	for (const path of paths) {
		if (prints.has(path)) continue;
		prints.set(path, await printOf(pathIn(request.repository.top, path), earlier?.large.get(path) ?? void 0, request.signal));
	}
	return prints;
}
/**
* Tracked paths below a link that leads to itself. They are gone, but git does not list them: it only complains. A name
* that its words do not hold exactly stays a complaint.
*/
function pathsBehindLoops(stderr) {
	return stderr.split("\n").filter((line) => line.endsWith(LOOP) && !line.includes("�")).map((line) => rawFrom(line.slice(0, -35)));
}
/** Git's own complaints; what a filter prints, and the progress of others, is none. */
function complaints(stderr, known = /* @__PURE__ */ new Set()) {
	return stderr.split("\n").filter((line) => COMPLAINT.test(line) && !known.has(rawFrom(line.slice(0, -35))));
}
//#endregion
//#region src/evidence/compare-trees.ts
init_layout();
/** Takes the second snapshot and tells it from the first: files that git keeps, large ones, and repositories inside. */
async function compareTrees(request) {
	const { snapshot: before, nested: nestedBefore, repository, own, git, runDir, signal } = request;
	const wasIgnored = coveredBy(before.status.ignored);
	const uncovered = [];
	const leftOut = [];
	const wasNested = coveredBy([...nestedBefore.roots.keys()].map((root) => `${root}/`));
	const leaveOut = (path) => {
		const foreign = wasNested(path) || isResidue(request.residue, showPath(path));
		const ignored = !foreign && wasIgnored(path);
		if (ignored) uncovered.push(path);
		if (foreign || ignored) leftOut.push(path);
		return foreign || ignored;
	};
	const after = await takeNextSnapshot({
		repository,
		git: git.git,
		maxUntrackedBytes: request.limits.maxUntrackedBytes,
		isOwn: own.isOwn,
		leaveOut,
		...signal && { signal }
	}, before, join(artifactPath(runDir, "snapshot"), "after.index"));
	keepLeftOut(runDir, leftOut);
	const patchPath = artifactPath(runDir, "patch");
	const objects = artifactPath(runDir, "objects");
	const [attribution, nestedAfter] = await Promise.all([attribute({
		git: git.git,
		before: before.tree,
		after: after.tree,
		base: request.baseCommit,
		objects,
		patch: patchPath,
		scratch: artifactPath(runDir, "snapshot")
	}), readNestedAgain(repository, after, nestedBefore, own.isOwn, signal)]);
	const nested = compareNested(nestedBefore, nestedAfter);
	const large = compareLarge(before.large, after.large, before.stored);
	const unfiltered = await unfilteredGaps(git, [...new Set([...before.read, ...after.read])]);
	return {
		beforeTree: before.tree,
		afterTree: after.tree,
		changes: [
			...attribution.changes,
			...large.changes,
			...nested.changes
		].sort((a, b) => a.path < b.path ? -1 : 1),
		nested: nested.boundary,
		notices: uncovered.length > 0 ? [`ignored before the run and not any more, so left out: ${namesOf(uncovered)}`] : [],
		gaps: [
			...before.gaps,
			...after.gaps,
			...attribution.gaps,
			...large.gaps,
			...nested.gaps,
			...unfiltered
		],
		doubts: [...nested.doubts, ...oddNames([before, after])],
		patchPath
	};
}
/** JSON can only show such a name escaped; callers count on it being unknown rather than clean. */
function oddNames(snapshots) {
	const named = snapshots.flatMap(({ status }) => [...status.dirty.map(({ path }) => path), ...status.untracked]);
	const odd = [...new Set(named.filter((path) => !isUtf8Path(path)))];
	return odd.length > 0 ? [`names that are not UTF-8 can only be shown escaped: ${namesOf(odd)}`] : [];
}
//#endregion
//#region src/evidence/ignored.ts
init_errors();
init_trusted();
/** Lists the ignored files and takes size, mtime and inode of each; contents are not read. Never rejects. */
async function scanIgnored(repository, options) {
	const { env, gitTimeoutMs, signal, limits } = options;
	const end = performance.now() + limits.ms;
	const timeoutMs = Math.min(gitTimeoutMs, limits.ms);
	try {
		const listing = await trustedGit(repository, [
			"ls-files",
			"--others",
			"--ignored",
			"--exclude-standard",
			"-z"
		], {
			env,
			timeoutMs,
			maxBytes: limits.pathBytes,
			...signal && { signal }
		});
		if (listing.code !== 0) return {
			scanned: false,
			reason: listing.stderr.trim()
		};
		return fingerprints(repository.top, listing.stdout, limits, end);
	} catch (error) {
		return {
			scanned: false,
			reason: messageOf$1(error)
		};
	}
}
/** A file that is ignored only now was an ordinary one before: its change, if any, is told elsewhere. */
function compareIgnored(before, after) {
	if (!before.scanned) return {
		ignored: "not-scanned",
		reason: before.reason
	};
	if (!after.scanned) return {
		ignored: "not-scanned",
		reason: after.reason
	};
	const changes = [];
	for (const [path, stamp] of before.files) {
		const now = after.files.get(path);
		if (now === void 0) changes.push({
			path,
			kind: "deleted"
		});
		else if (now !== stamp) changes.push({
			path,
			kind: "modified"
		});
	}
	for (const path of after.files.keys()) if (!before.files.has(path)) changes.push({
		path,
		kind: "added"
	});
	return {
		ignored: "scanned",
		changes
	};
}
function fingerprints(top, listing, limits, end) {
	const paths = listing.toString("latin1").split("\0").filter(Boolean);
	if (paths.length > limits.files) return {
		scanned: false,
		reason: `${paths.length} ignored files, more than ${limits.files}`
	};
	const files = /* @__PURE__ */ new Map();
	for (const path of paths) {
		if (performance.now() > end) return {
			scanned: false,
			reason: `the ignored files took more than ${limits.ms} ms`
		};
		const bytes = Buffer.from(path, "latin1");
		files.set(bytes.toString("utf8"), stampOf(Buffer.concat([Buffer.from(join(top, "/")), bytes])));
	}
	return {
		scanned: true,
		files
	};
}
function stampOf(path) {
	try {
		const { size, mtimeNs, ino } = lstatSync(path, { bigint: true });
		return `${size} ${mtimeNs} ${ino}`;
	} catch (error) {
		return messageOf$1(error);
	}
}
//#endregion
//#region src/evidence/own-files.ts
init_layout();
function ownFiles(top, runDir, ignoreCase) {
	const way = relative(top, realpathSync(runDir));
	if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return {
		isOwn: () => false,
		pathspecs: []
	};
	const folder = way === "" ? "" : `${way.split(sep).join("/")}/`;
	const fold = (path) => ignoreCase ? path.toLowerCase() : path;
	const prefix = fold(rawFrom(folder));
	return {
		isOwn: (path) => {
			const folded = fold(path);
			return folded.startsWith(prefix) && isOwnName(folded.slice(prefix.length).split("/", 1)[0] ?? "");
		},
		pathspecs: [
			".",
			...[...Object.values(ARTIFACTS), CLAIM].map((name) => `:(exclude,top,literal)${folder}${name}`),
			...Object.values(ARTIFACTS).map((name) => `:(exclude,top,glob)${folder.replace(/[*?[\\]/g, "\\$&")}.${name}.*.tmp`)
		]
	};
}
//#endregion
//#region src/evidence/touched-files.ts
init_trusted();
/**
* What a person would see with `git status` now. It is asked with the user's index and HEAD but the configuration of
* before the run. `pathspecs` leave baton's own files out.
*/
async function readTouchedFiles(git, index, pathspecs) {
	let answer;
	try {
		answer = await git([
			"status",
			"--porcelain",
			"--untracked-files=normal",
			"--",
			...pathspecs
		], { index });
	} catch (error) {
		return { reason: error instanceof Error ? error.message : String(error) };
	}
	if (answer.code !== 0) return { reason: `git status failed: ${firstLine(answer.stderr)}` };
	return { lines: answer.stdout.toString("utf8").split("\n").filter((line) => line !== "") };
}
//#endregion
//#region node_modules/picomatch/lib/constants.js
var require_constants = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	const WIN_SLASH = "\\\\/";
	const WIN_NO_SLASH = `[^${WIN_SLASH}]`;
	const DEFAULT_MAX_EXTGLOB_RECURSION = 0;
	/**
	* Posix glob regex
	*/
	const DOT_LITERAL = "\\.";
	const PLUS_LITERAL = "\\+";
	const QMARK_LITERAL = "\\?";
	const SLASH_LITERAL = "\\/";
	const ONE_CHAR = "(?=.)";
	const QMARK = "[^/]";
	const END_ANCHOR = `(?:${SLASH_LITERAL}|$)`;
	const START_ANCHOR = `(?:^|${SLASH_LITERAL})`;
	const DOTS_SLASH = `${DOT_LITERAL}{1,2}${END_ANCHOR}`;
	const POSIX_CHARS = {
		DOT_LITERAL,
		PLUS_LITERAL,
		QMARK_LITERAL,
		SLASH_LITERAL,
		ONE_CHAR,
		QMARK,
		END_ANCHOR,
		DOTS_SLASH,
		NO_DOT: `(?!${DOT_LITERAL})`,
		NO_DOTS: `(?!${START_ANCHOR}${DOTS_SLASH})`,
		NO_DOT_SLASH: `(?!${DOT_LITERAL}{0,1}${END_ANCHOR})`,
		NO_DOTS_SLASH: `(?!${DOTS_SLASH})`,
		QMARK_NO_DOT: `[^.${SLASH_LITERAL}]`,
		STAR: `${QMARK}*?`,
		START_ANCHOR,
		SEP: "/"
	};
	/**
	* Windows glob regex
	*/
	const WINDOWS_CHARS = {
		...POSIX_CHARS,
		SLASH_LITERAL: `[${WIN_SLASH}]`,
		QMARK: WIN_NO_SLASH,
		STAR: `${WIN_NO_SLASH}*?`,
		DOTS_SLASH: `${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$)`,
		NO_DOT: `(?!${DOT_LITERAL})`,
		NO_DOTS: `(?!(?:^|[${WIN_SLASH}])${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
		NO_DOT_SLASH: `(?!${DOT_LITERAL}{0,1}(?:[${WIN_SLASH}]|$))`,
		NO_DOTS_SLASH: `(?!${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
		QMARK_NO_DOT: `[^.${WIN_SLASH}]`,
		START_ANCHOR: `(?:^|[${WIN_SLASH}])`,
		END_ANCHOR: `(?:[${WIN_SLASH}]|$)`,
		SEP: "\\"
	};
	module.exports = {
		DEFAULT_MAX_EXTGLOB_RECURSION,
		MAX_LENGTH: 1024 * 64,
		POSIX_REGEX_SOURCE: {
			__proto__: null,
			alnum: "a-zA-Z0-9",
			alpha: "a-zA-Z",
			ascii: "\\x00-\\x7F",
			blank: " \\t",
			cntrl: "\\x00-\\x1F\\x7F",
			digit: "0-9",
			graph: "\\x21-\\x7E",
			lower: "a-z",
			print: "\\x20-\\x7E ",
			punct: "\\-!\"#$%&'()\\*+,./:;<=>?@[\\]^_`{|}~",
			space: " \\t\\r\\n\\v\\f",
			upper: "A-Z",
			word: "A-Za-z0-9_",
			xdigit: "A-Fa-f0-9"
		},
		REGEX_BACKSLASH: /\\(?![*+?^${}(|)[\]])/g,
		REGEX_NON_SPECIAL_CHARS: /^[^@![\].,$*+?^{}()|\\/]+/,
		REGEX_SPECIAL_CHARS: /[-*+?.^${}(|)[\]]/,
		REGEX_SPECIAL_CHARS_BACKREF: /(\\?)((\W)(\3*))/g,
		REGEX_SPECIAL_CHARS_GLOBAL: /([-*+?.^${}(|)[\]])/g,
		REGEX_REMOVE_BACKSLASH: /(?:\[.*?[^\\]\]|\\(?=.))/g,
		REPLACEMENTS: {
			__proto__: null,
			"***": "*",
			"**/**": "**",
			"**/**/**": "**"
		},
		CHAR_0: 48,
		CHAR_9: 57,
		CHAR_UPPERCASE_A: 65,
		CHAR_LOWERCASE_A: 97,
		CHAR_UPPERCASE_Z: 90,
		CHAR_LOWERCASE_Z: 122,
		CHAR_LEFT_PARENTHESES: 40,
		CHAR_RIGHT_PARENTHESES: 41,
		CHAR_ASTERISK: 42,
		CHAR_AMPERSAND: 38,
		CHAR_AT: 64,
		CHAR_BACKWARD_SLASH: 92,
		CHAR_CARRIAGE_RETURN: 13,
		CHAR_CIRCUMFLEX_ACCENT: 94,
		CHAR_COLON: 58,
		CHAR_COMMA: 44,
		CHAR_DOT: 46,
		CHAR_DOUBLE_QUOTE: 34,
		CHAR_EQUAL: 61,
		CHAR_EXCLAMATION_MARK: 33,
		CHAR_FORM_FEED: 12,
		CHAR_FORWARD_SLASH: 47,
		CHAR_GRAVE_ACCENT: 96,
		CHAR_HASH: 35,
		CHAR_HYPHEN_MINUS: 45,
		CHAR_LEFT_ANGLE_BRACKET: 60,
		CHAR_LEFT_CURLY_BRACE: 123,
		CHAR_LEFT_SQUARE_BRACKET: 91,
		CHAR_LINE_FEED: 10,
		CHAR_NO_BREAK_SPACE: 160,
		CHAR_PERCENT: 37,
		CHAR_PLUS: 43,
		CHAR_QUESTION_MARK: 63,
		CHAR_RIGHT_ANGLE_BRACKET: 62,
		CHAR_RIGHT_CURLY_BRACE: 125,
		CHAR_RIGHT_SQUARE_BRACKET: 93,
		CHAR_SEMICOLON: 59,
		CHAR_SINGLE_QUOTE: 39,
		CHAR_SPACE: 32,
		CHAR_TAB: 9,
		CHAR_UNDERSCORE: 95,
		CHAR_VERTICAL_LINE: 124,
		CHAR_ZERO_WIDTH_NOBREAK_SPACE: 65279,
		/**
		* Create EXTGLOB_CHARS
		*/
		extglobChars(chars) {
			return {
				"!": {
					type: "negate",
					open: "(?:(?!(?:",
					close: `))${chars.STAR})`
				},
				"?": {
					type: "qmark",
					open: "(?:",
					close: ")?"
				},
				"+": {
					type: "plus",
					open: "(?:",
					close: ")+"
				},
				"*": {
					type: "star",
					open: "(?:",
					close: ")*"
				},
				"@": {
					type: "at",
					open: "(?:",
					close: ")"
				}
			};
		},
		/**
		* Create GLOB_CHARS
		*/
		globChars(win32) {
			return win32 === true ? WINDOWS_CHARS : POSIX_CHARS;
		}
	};
}));
//#endregion
//#region node_modules/picomatch/lib/utils.js
var require_utils = /* @__PURE__ */ __commonJSMin(((exports) => {
	const { REGEX_BACKSLASH, REGEX_REMOVE_BACKSLASH, REGEX_SPECIAL_CHARS, REGEX_SPECIAL_CHARS_GLOBAL } = require_constants();
	exports.isObject = (val) => val !== null && typeof val === "object" && !Array.isArray(val);
	exports.hasRegexChars = (str) => REGEX_SPECIAL_CHARS.test(str);
	exports.isRegexChar = (str) => str.length === 1 && exports.hasRegexChars(str);
	exports.escapeRegex = (str) => str.replace(REGEX_SPECIAL_CHARS_GLOBAL, "\\$1");
	exports.toPosixSlashes = (str) => str.replace(REGEX_BACKSLASH, "/");
	exports.isWindows = () => {
		if (typeof navigator !== "undefined" && navigator.platform) {
			const platform = navigator.platform.toLowerCase();
			return platform === "win32" || platform === "windows";
		}
		if (typeof process !== "undefined" && process.platform) return process.platform === "win32";
		return false;
	};
	exports.removeBackslashes = (str) => {
		return str.replace(REGEX_REMOVE_BACKSLASH, (match) => {
			return match === "\\" ? "" : match;
		});
	};
	exports.escapeLast = (input, char, lastIdx) => {
		const idx = input.lastIndexOf(char, lastIdx);
		if (idx === -1) return input;
		if (input[idx - 1] === "\\") return exports.escapeLast(input, char, idx - 1);
		return `${input.slice(0, idx)}\\${input.slice(idx)}`;
	};
	exports.removePrefix = (input, state = {}) => {
		let output = input;
		if (output.startsWith("./")) {
			output = output.slice(2);
			state.prefix = "./";
		}
		return output;
	};
	exports.wrapOutput = (input, state = {}, options = {}) => {
		let output = `${options.contains ? "" : "^"}(?:${input})${options.contains ? "" : "$"}`;
		if (state.negated === true) output = `(?:^(?!${output}).*$)`;
		return output;
	};
	exports.basename = (path, { windows } = {}) => {
		const segs = path.split(windows ? /[\\/]/ : "/");
		const last = segs[segs.length - 1];
		if (last === "") return segs[segs.length - 2];
		return last;
	};
}));
//#endregion
//#region node_modules/picomatch/lib/scan.js
var require_scan = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	const utils = require_utils();
	const { CHAR_ASTERISK, CHAR_AT, CHAR_BACKWARD_SLASH, CHAR_COMMA, CHAR_DOT, CHAR_EXCLAMATION_MARK, CHAR_FORWARD_SLASH, CHAR_LEFT_CURLY_BRACE, CHAR_LEFT_PARENTHESES, CHAR_LEFT_SQUARE_BRACKET, CHAR_PLUS, CHAR_QUESTION_MARK, CHAR_RIGHT_CURLY_BRACE, CHAR_RIGHT_PARENTHESES, CHAR_RIGHT_SQUARE_BRACKET } = require_constants();
	const isPathSeparator = (code) => {
		return code === CHAR_FORWARD_SLASH || code === CHAR_BACKWARD_SLASH;
	};
	const depth = (token) => {
		if (token.isPrefix !== true) token.depth = token.isGlobstar ? Infinity : 1;
	};
	/**
	* Quickly scans a glob pattern and returns an object with a handful of
	* useful properties, like `isGlob`, `path` (the leading non-glob, if it exists),
	* `glob` (the actual pattern), `negated` (true if the path starts with `!` but not
	* with `!(`) and `negatedExtglob` (true if the path starts with `!(`).
	*
	* ```js
	* const pm = require('picomatch');
	* console.log(pm.scan('foo/bar/*.js'));
	* { isGlob: true, input: 'foo/bar/*.js', base: 'foo/bar', glob: '*.js' }
	* ```
	* @param {String} `str`
	* @param {Object} `options`
	* @return {Object} Returns an object with tokens and regex source string.
	* @api public
	*/
	const scan = (input, options) => {
		const opts = options || {};
		const length = input.length - 1;
		const scanToEnd = opts.parts === true || opts.tokens === true || opts.scanToEnd === true;
		const slashes = [];
		const tokens = [];
		const parts = [];
		let str = input;
		let index = -1;
		let start = 0;
		let lastIndex = 0;
		let isBrace = false;
		let isBracket = false;
		let isGlob = false;
		let isExtglob = false;
		let isGlobstar = false;
		let braceEscaped = false;
		let backslashes = false;
		let negated = false;
		let negatedExtglob = false;
		let finished = false;
		let braces = 0;
		let prev;
		let code;
		let token = {
			value: "",
			depth: 0,
			isGlob: false
		};
		const eos = () => index >= length;
		const peek = () => str.charCodeAt(index + 1);
		const advance = () => {
			prev = code;
			return str.charCodeAt(++index);
		};
		while (index < length) {
			code = advance();
			let next;
			if (code === CHAR_BACKWARD_SLASH) {
				backslashes = token.backslashes = true;
				code = advance();
				if (code === CHAR_LEFT_CURLY_BRACE) braceEscaped = true;
				continue;
			}
			if (braceEscaped === true || code === CHAR_LEFT_CURLY_BRACE) {
				braces++;
				while (eos() !== true && (code = advance())) {
					if (code === CHAR_BACKWARD_SLASH) {
						backslashes = token.backslashes = true;
						advance();
						continue;
					}
					if (code === CHAR_LEFT_CURLY_BRACE) {
						braces++;
						continue;
					}
					if (braceEscaped !== true && code === CHAR_DOT && (code = advance()) === CHAR_DOT) {
						isBrace = token.isBrace = true;
						isGlob = token.isGlob = true;
						finished = true;
						if (scanToEnd === true) continue;
						break;
					}
					if (braceEscaped !== true && code === CHAR_COMMA) {
						isBrace = token.isBrace = true;
						isGlob = token.isGlob = true;
						finished = true;
						if (scanToEnd === true) continue;
						break;
					}
					if (code === CHAR_RIGHT_CURLY_BRACE) {
						braces--;
						if (braces === 0) {
							braceEscaped = false;
							isBrace = token.isBrace = true;
							finished = true;
							break;
						}
					}
				}
				if (scanToEnd === true) continue;
				break;
			}
			if (code === CHAR_FORWARD_SLASH) {
				slashes.push(index);
				tokens.push(token);
				token = {
					value: "",
					depth: 0,
					isGlob: false
				};
				if (finished === true) continue;
				if (prev === CHAR_DOT && index === start + 1) {
					start += 2;
					continue;
				}
				lastIndex = index + 1;
				continue;
			}
			if (opts.noext !== true) {
				if ((code === CHAR_PLUS || code === CHAR_AT || code === CHAR_ASTERISK || code === CHAR_QUESTION_MARK || code === CHAR_EXCLAMATION_MARK) === true && peek() === CHAR_LEFT_PARENTHESES) {
					isGlob = token.isGlob = true;
					isExtglob = token.isExtglob = true;
					finished = true;
					if (code === CHAR_EXCLAMATION_MARK && index === start) negatedExtglob = true;
					if (scanToEnd === true) {
						let parens = 0;
						while (eos() !== true && (code = advance())) {
							if (code === CHAR_BACKWARD_SLASH) {
								backslashes = token.backslashes = true;
								advance();
								continue;
							}
							if (code === CHAR_LEFT_PARENTHESES) {
								parens++;
								continue;
							}
							if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
								finished = true;
								break;
							}
						}
						continue;
					}
					break;
				}
			}
			if (code === CHAR_ASTERISK) {
				if (prev === CHAR_ASTERISK) isGlobstar = token.isGlobstar = true;
				isGlob = token.isGlob = true;
				finished = true;
				if (scanToEnd === true) continue;
				break;
			}
			if (code === CHAR_QUESTION_MARK) {
				isGlob = token.isGlob = true;
				finished = true;
				if (scanToEnd === true) continue;
				break;
			}
			if (code === CHAR_LEFT_SQUARE_BRACKET) {
				while (eos() !== true && (next = advance())) {
					if (next === CHAR_BACKWARD_SLASH) {
						backslashes = token.backslashes = true;
						advance();
						continue;
					}
					if (next === CHAR_RIGHT_SQUARE_BRACKET) {
						isBracket = token.isBracket = true;
						isGlob = token.isGlob = true;
						finished = true;
						break;
					}
				}
				if (scanToEnd === true) continue;
				break;
			}
			if (opts.nonegate !== true && code === CHAR_EXCLAMATION_MARK && index === start) {
				negated = token.negated = true;
				start++;
				continue;
			}
			if (opts.noparen !== true && code === CHAR_LEFT_PARENTHESES) {
				isGlob = token.isGlob = true;
				if (scanToEnd === true) {
					let parens = 1;
					while (eos() !== true && (code = advance())) {
						if (code === CHAR_BACKWARD_SLASH) {
							backslashes = token.backslashes = true;
							advance();
							continue;
						}
						if (code === CHAR_LEFT_PARENTHESES) {
							parens++;
							continue;
						}
						if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
							finished = true;
							break;
						}
					}
					continue;
				}
				break;
			}
			if (isGlob === true) {
				finished = true;
				if (scanToEnd === true) continue;
				break;
			}
		}
		if (opts.noext === true) {
			isExtglob = false;
			isGlob = false;
		}
		let base = str;
		let prefix = "";
		let glob = "";
		if (start > 0) {
			prefix = str.slice(0, start);
			str = str.slice(start);
			lastIndex -= start;
		}
		if (base && isGlob === true && lastIndex > 0) {
			base = str.slice(0, lastIndex);
			glob = str.slice(lastIndex);
		} else if (isGlob === true) {
			base = "";
			glob = str;
		} else base = str;
		if (base && base !== "" && base !== "/" && base !== str) {
			if (isPathSeparator(base.charCodeAt(base.length - 1))) base = base.slice(0, -1);
		}
		if (opts.unescape === true) {
			if (glob) glob = utils.removeBackslashes(glob);
			if (base && backslashes === true) base = utils.removeBackslashes(base);
		}
		const state = {
			prefix,
			input,
			start,
			base,
			glob,
			isBrace,
			isBracket,
			isGlob,
			isExtglob,
			isGlobstar,
			negated,
			negatedExtglob
		};
		if (opts.tokens === true) {
			state.maxDepth = 0;
			if (!isPathSeparator(code)) tokens.push(token);
			state.tokens = tokens;
		}
		if (opts.parts === true || opts.tokens === true) {
			let prevIndex;
			for (let idx = 0; idx < slashes.length; idx++) {
				const n = prevIndex !== void 0 ? prevIndex + 1 : start;
				const i = slashes[idx];
				const value = input.slice(n, i);
				if (opts.tokens) {
					if (idx === 0 && start !== 0) {
						tokens[idx].isPrefix = true;
						tokens[idx].value = prefix;
					} else tokens[idx].value = value;
					depth(tokens[idx]);
					state.maxDepth += tokens[idx].depth;
				}
				if (i >= start) {
					parts.push(value);
					prevIndex = i;
				}
			}
			const n = prevIndex !== void 0 ? prevIndex + 1 : start;
			const value = input.slice(n);
			parts.push(value);
			if (opts.tokens && prevIndex && prevIndex + 1 < input.length) {
				tokens[tokens.length - 1].value = value;
				depth(tokens[tokens.length - 1]);
				state.maxDepth += tokens[tokens.length - 1].depth;
			}
			state.slashes = slashes;
			state.parts = parts;
		}
		return state;
	};
	module.exports = scan;
}));
//#endregion
//#region node_modules/picomatch/lib/parse.js
var require_parse = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	const constants = require_constants();
	const utils = require_utils();
	/**
	* Constants
	*/
	const { MAX_LENGTH, POSIX_REGEX_SOURCE, REGEX_NON_SPECIAL_CHARS, REGEX_SPECIAL_CHARS_BACKREF, REPLACEMENTS } = constants;
	/**
	* Helpers
	*/
	const expandRange = (args, options) => {
		if (typeof options.expandRange === "function") return options.expandRange(...args, options);
		args.sort();
		const value = `[${args.join("-")}]`;
		try {
			new RegExp(value);
		} catch (ex) {
			return args.map((v) => utils.escapeRegex(v)).join("..");
		}
		return value;
	};
	/**
	* Create the message for a syntax error
	*/
	const syntaxError = (type, char) => {
		return `Missing ${type}: "${char}" - use "\\\\${char}" to match literal characters`;
	};
	const splitTopLevel = (input) => {
		const parts = [];
		let bracket = 0;
		let paren = 0;
		let quote = 0;
		let value = "";
		let escaped = false;
		for (const ch of input) {
			if (escaped === true) {
				value += ch;
				escaped = false;
				continue;
			}
			if (ch === "\\") {
				value += ch;
				escaped = true;
				continue;
			}
			if (ch === "\"") {
				quote = quote === 1 ? 0 : 1;
				value += ch;
				continue;
			}
			if (quote === 0) {
				if (ch === "[") bracket++;
				else if (ch === "]" && bracket > 0) bracket--;
				else if (bracket === 0) {
					if (ch === "(") paren++;
					else if (ch === ")" && paren > 0) paren--;
					else if (ch === "|" && paren === 0) {
						parts.push(value);
						value = "";
						continue;
					}
				}
			}
			value += ch;
		}
		parts.push(value);
		return parts;
	};
	const isPlainBranch = (branch) => {
		let escaped = false;
		for (const ch of branch) {
			if (escaped === true) {
				escaped = false;
				continue;
			}
			if (ch === "\\") {
				escaped = true;
				continue;
			}
			if (/[?*+@!()[\]{}]/.test(ch)) return false;
		}
		return true;
	};
	const normalizeSimpleBranch = (branch) => {
		let value = branch.trim();
		let changed = true;
		while (changed === true) {
			changed = false;
			if (/^@\([^\\()[\]{}|]+\)$/.test(value)) {
				value = value.slice(2, -1);
				changed = true;
			}
		}
		if (!isPlainBranch(value)) return;
		return value.replace(/\\(.)/g, "$1");
	};
	const hasRepeatedCharPrefixOverlap = (branches) => {
		const values = branches.map(normalizeSimpleBranch).filter(Boolean);
		for (let i = 0; i < values.length; i++) for (let j = i + 1; j < values.length; j++) {
			const a = values[i];
			const b = values[j];
			const char = a[0];
			if (!char || a !== char.repeat(a.length) || b !== char.repeat(b.length)) continue;
			if (a === b || a.startsWith(b) || b.startsWith(a)) return true;
		}
		return false;
	};
	const parseRepeatedExtglob = (pattern, requireEnd = true) => {
		if (pattern[0] !== "+" && pattern[0] !== "*" || pattern[1] !== "(") return;
		let bracket = 0;
		let paren = 0;
		let quote = 0;
		let escaped = false;
		for (let i = 1; i < pattern.length; i++) {
			const ch = pattern[i];
			if (escaped === true) {
				escaped = false;
				continue;
			}
			if (ch === "\\") {
				escaped = true;
				continue;
			}
			if (ch === "\"") {
				quote = quote === 1 ? 0 : 1;
				continue;
			}
			if (quote === 1) continue;
			if (ch === "[") {
				bracket++;
				continue;
			}
			if (ch === "]" && bracket > 0) {
				bracket--;
				continue;
			}
			if (bracket > 0) continue;
			if (ch === "(") {
				paren++;
				continue;
			}
			if (ch === ")") {
				paren--;
				if (paren === 0) {
					if (requireEnd === true && i !== pattern.length - 1) return;
					return {
						type: pattern[0],
						body: pattern.slice(2, i),
						end: i
					};
				}
			}
		}
	};
	const buildCharClassStar = (chars) => {
		return `${chars.length === 1 ? utils.escapeRegex(chars[0]) : `[${chars.map((ch) => utils.escapeRegex(ch)).join("")}]`}*`;
	};
	const getStarExtglobSequenceChars = (pattern) => {
		let index = 0;
		const chars = [];
		while (index < pattern.length) {
			const match = parseRepeatedExtglob(pattern.slice(index), false);
			if (!match || match.type !== "*") return;
			const branches = splitTopLevel(match.body).map((branch) => branch.trim());
			if (branches.length !== 1) return;
			const branch = normalizeSimpleBranch(branches[0]);
			if (!branch || branch.length !== 1) return;
			chars.push(branch);
			index += match.end + 1;
		}
		if (chars.length < 1) return;
		return chars;
	};
	const repeatedExtglobRecursion = (pattern) => {
		let depth = 0;
		let value = pattern.trim();
		let match = parseRepeatedExtglob(value);
		while (match) {
			depth++;
			value = match.body.trim();
			match = parseRepeatedExtglob(value);
		}
		return depth;
	};
	const analyzeRepeatedExtglob = (body, options) => {
		if (options.maxExtglobRecursion === false) return { risky: false };
		const max = typeof options.maxExtglobRecursion === "number" ? options.maxExtglobRecursion : constants.DEFAULT_MAX_EXTGLOB_RECURSION;
		const branches = splitTopLevel(body).map((branch) => branch.trim());
		if (branches.length > 1) {
			if (branches.some((branch) => branch === "") || branches.some((branch) => /^[*?]+$/.test(branch)) || hasRepeatedCharPrefixOverlap(branches)) return { risky: true };
		}
		const safeChars = [];
		let sawStarSequence = false;
		let combinable = true;
		for (const branch of branches) {
			const chars = getStarExtglobSequenceChars(branch);
			if (chars) {
				sawStarSequence = true;
				safeChars.push(...chars);
				continue;
			}
			const literal = normalizeSimpleBranch(branch);
			if (literal && literal.length === 1) {
				safeChars.push(literal);
				continue;
			}
			combinable = false;
			if (repeatedExtglobRecursion(branch) > max) return { risky: true };
		}
		if (sawStarSequence) return combinable ? {
			risky: true,
			safeOutput: buildCharClassStar([...new Set(safeChars)])
		} : { risky: true };
		return { risky: false };
	};
	/**
	* Parse the given input string.
	* @param {String} input
	* @param {Object} options
	* @return {Object}
	*/
	const parse = (input, options) => {
		if (typeof input !== "string") throw new TypeError("Expected a string");
		input = REPLACEMENTS[input] || input;
		const opts = { ...options };
		const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
		let len = input.length;
		if (len > max) throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
		const bos = {
			type: "bos",
			value: "",
			output: opts.prepend || ""
		};
		const tokens = [bos];
		const capture = opts.capture ? "" : "?:";
		const PLATFORM_CHARS = constants.globChars(opts.windows);
		const EXTGLOB_CHARS = constants.extglobChars(PLATFORM_CHARS);
		const { DOT_LITERAL, PLUS_LITERAL, SLASH_LITERAL, ONE_CHAR, DOTS_SLASH, NO_DOT, NO_DOT_SLASH, NO_DOTS_SLASH, QMARK, QMARK_NO_DOT, STAR, START_ANCHOR } = PLATFORM_CHARS;
		const globstar = (opts) => {
			return `(${capture}(?:(?!${START_ANCHOR}${opts.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
		};
		const nodot = opts.dot ? "" : NO_DOT;
		const qmarkNoDot = opts.dot ? QMARK : QMARK_NO_DOT;
		let star = opts.bash === true ? globstar(opts) : STAR;
		if (opts.capture) star = `(${star})`;
		if (typeof opts.noext === "boolean") opts.noextglob = opts.noext;
		const state = {
			input,
			index: -1,
			start: 0,
			dot: opts.dot === true,
			consumed: "",
			output: "",
			prefix: "",
			backtrack: false,
			negated: false,
			brackets: 0,
			braces: 0,
			parens: 0,
			quotes: 0,
			globstar: false,
			tokens
		};
		input = utils.removePrefix(input, state);
		len = input.length;
		const extglobs = [];
		const braces = [];
		const stack = [];
		let prev = bos;
		let value;
		/**
		* Tokenizing helpers
		*/
		const eos = () => state.index === len - 1;
		const peek = state.peek = (n = 1) => input[state.index + n];
		const advance = state.advance = () => input[++state.index] || "";
		const remaining = () => input.slice(state.index + 1);
		const consume = (value = "", num = 0) => {
			state.consumed += value;
			state.index += num;
		};
		const append = (token) => {
			state.output += token.output != null ? token.output : token.value;
			consume(token.value);
		};
		const negate = () => {
			let count = 1;
			while (peek() === "!" && (peek(2) !== "(" || peek(3) === "?")) {
				advance();
				state.start++;
				count++;
			}
			if (count % 2 === 0) return false;
			state.negated = true;
			state.start++;
			return true;
		};
		const increment = (type) => {
			state[type]++;
			stack.push(type);
		};
		const decrement = (type) => {
			state[type]--;
			stack.pop();
		};
		/**
		* Push tokens onto the tokens array. This helper speeds up
		* tokenizing by 1) helping us avoid backtracking as much as possible,
		* and 2) helping us avoid creating extra tokens when consecutive
		* characters are plain text. This improves performance and simplifies
		* lookbehinds.
		*/
		const push = (tok) => {
			if (prev.type === "globstar") {
				const isBrace = state.braces > 0 && (tok.type === "comma" || tok.type === "brace");
				const isExtglob = tok.extglob === true || extglobs.length && (tok.type === "pipe" || tok.type === "paren");
				if (tok.type !== "slash" && tok.type !== "paren" && !isBrace && !isExtglob) {
					state.output = state.output.slice(0, -prev.output.length);
					prev.type = "star";
					prev.value = "*";
					prev.output = star;
					state.output += prev.output;
				}
			}
			if (extglobs.length && tok.type !== "paren") extglobs[extglobs.length - 1].inner += tok.value;
			if (tok.value || tok.output) append(tok);
			if (prev && prev.type === "text" && tok.type === "text") {
				prev.output = (prev.output || prev.value) + tok.value;
				prev.value += tok.value;
				return;
			}
			tok.prev = prev;
			tokens.push(tok);
			prev = tok;
		};
		const extglobOpen = (type, value) => {
			const token = {
				...EXTGLOB_CHARS[value],
				conditions: 1,
				inner: ""
			};
			token.prev = prev;
			token.parens = state.parens;
			token.output = state.output;
			token.startIndex = state.index;
			token.tokensIndex = tokens.length;
			const output = (opts.capture ? "(" : "") + token.open;
			increment("parens");
			push({
				type,
				value,
				output: state.output ? "" : ONE_CHAR
			});
			push({
				type: "paren",
				extglob: true,
				value: advance(),
				output
			});
			extglobs.push(token);
		};
		const extglobClose = (token) => {
			const literal = input.slice(token.startIndex, state.index + 1);
			const analysis = analyzeRepeatedExtglob(input.slice(token.startIndex + 2, state.index), opts);
			if ((token.type === "plus" || token.type === "star") && analysis.risky) {
				const safeOutput = analysis.safeOutput ? (token.output ? "" : ONE_CHAR) + (opts.capture ? `(${analysis.safeOutput})` : analysis.safeOutput) : void 0;
				const open = tokens[token.tokensIndex];
				open.type = "text";
				open.value = literal;
				open.output = safeOutput || utils.escapeRegex(literal);
				for (let i = token.tokensIndex + 1; i < tokens.length; i++) {
					tokens[i].value = "";
					tokens[i].output = "";
					delete tokens[i].suffix;
				}
				state.output = token.output + open.output;
				state.backtrack = true;
				push({
					type: "paren",
					extglob: true,
					value,
					output: ""
				});
				decrement("parens");
				return;
			}
			let output = token.close + (opts.capture ? ")" : "");
			let rest;
			if (token.type === "negate") {
				let extglobStar = star;
				if (token.inner && token.inner.length > 1 && token.inner.includes("/")) extglobStar = globstar(opts);
				if (extglobStar !== star || eos() || /^\)+$/.test(remaining())) output = token.close = `)$))${extglobStar}`;
				if (token.inner.includes("*") && (rest = remaining()) && /^\.[^\\/.]+$/.test(rest)) output = token.close = `)${parse(rest, {
					...options,
					fastpaths: false
				}).output})${extglobStar})`;
				if (token.prev.type === "bos") state.negatedExtglob = true;
			}
			push({
				type: "paren",
				extglob: true,
				value,
				output
			});
			decrement("parens");
		};
		/**
		* Fast paths
		*/
		if (opts.fastpaths !== false && !/(^[*!]|[/()[\]{}"])/.test(input)) {
			let backslashes = false;
			let output = input.replace(REGEX_SPECIAL_CHARS_BACKREF, (m, esc, chars, first, rest, index) => {
				if (first === "\\") {
					backslashes = true;
					return m;
				}
				if (first === "?") {
					if (esc) return esc + first + (rest ? QMARK.repeat(rest.length) : "");
					if (index === 0) return qmarkNoDot + (rest ? QMARK.repeat(rest.length) : "");
					return QMARK.repeat(chars.length);
				}
				if (first === ".") return DOT_LITERAL.repeat(chars.length);
				if (first === "*") {
					if (esc) return esc + first + (rest ? star : "");
					return star;
				}
				return esc ? m : `\\${m}`;
			});
			if (backslashes === true) if (opts.unescape === true) output = output.replace(/\\/g, "");
			else output = output.replace(/\\+/g, (m) => {
				return m.length % 2 === 0 ? "\\\\" : m ? "\\" : "";
			});
			if (output === input && opts.contains === true) {
				state.output = input;
				return state;
			}
			state.output = utils.wrapOutput(output, state, options);
			return state;
		}
		/**
		* Tokenize input until we reach end-of-string
		*/
		while (!eos()) {
			value = advance();
			if (value === "\0") continue;
			/**
			* Escaped characters
			*/
			if (value === "\\") {
				const next = peek();
				if (next === "/" && opts.bash !== true) continue;
				if (next === "." || next === ";") continue;
				if (!next) {
					value += "\\";
					push({
						type: "text",
						value
					});
					continue;
				}
				const match = /^\\+/.exec(remaining());
				let slashes = 0;
				if (match && match[0].length > 2) {
					slashes = match[0].length;
					state.index += slashes;
					if (slashes % 2 !== 0) value += "\\";
				}
				if (opts.unescape === true) value = advance();
				else value += advance();
				if (state.brackets === 0) {
					push({
						type: "text",
						value
					});
					continue;
				}
			}
			/**
			* If we're inside a regex character class, continue
			* until we reach the closing bracket.
			*/
			if (state.brackets > 0 && (value !== "]" || prev.value === "[" || prev.value === "[^")) {
				if (opts.posix !== false && value === ":") {
					const inner = prev.value.slice(1);
					if (inner.includes("[")) {
						prev.posix = true;
						if (inner.includes(":")) {
							const idx = prev.value.lastIndexOf("[");
							const pre = prev.value.slice(0, idx);
							const posix = POSIX_REGEX_SOURCE[prev.value.slice(idx + 2)];
							if (posix) {
								prev.value = pre + posix;
								state.backtrack = true;
								advance();
								if (!bos.output && tokens.indexOf(prev) === 1) bos.output = ONE_CHAR;
								continue;
							}
						}
					}
				}
				if (value === "[" && peek() !== ":" || value === "-" && peek() === "]") value = `\\${value}`;
				if (value === "]" && (prev.value === "[" || prev.value === "[^")) value = `\\${value}`;
				if (opts.posix === true && value === "!" && prev.value === "[") value = "^";
				prev.value += value;
				append({ value });
				continue;
			}
			/**
			* If we're inside a quoted string, continue
			* until we reach the closing double quote.
			*/
			if (state.quotes === 1 && value !== "\"") {
				value = utils.escapeRegex(value);
				prev.value += value;
				append({ value });
				continue;
			}
			/**
			* Double quotes
			*/
			if (value === "\"") {
				state.quotes = state.quotes === 1 ? 0 : 1;
				if (opts.keepQuotes === true) push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Parentheses
			*/
			if (value === "(") {
				increment("parens");
				push({
					type: "paren",
					value
				});
				continue;
			}
			if (value === ")") {
				if (state.parens === 0 && opts.strictBrackets === true) throw new SyntaxError(syntaxError("opening", "("));
				const extglob = extglobs[extglobs.length - 1];
				if (extglob && state.parens === extglob.parens + 1) {
					extglobClose(extglobs.pop());
					continue;
				}
				push({
					type: "paren",
					value,
					output: state.parens ? ")" : "\\)"
				});
				decrement("parens");
				continue;
			}
			/**
			* Square brackets
			*/
			if (value === "[") {
				if (opts.nobracket === true || !remaining().includes("]")) {
					if (opts.nobracket !== true && opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "]"));
					value = `\\${value}`;
				} else increment("brackets");
				push({
					type: "bracket",
					value
				});
				continue;
			}
			if (value === "]") {
				if (opts.nobracket === true || prev && prev.type === "bracket" && prev.value.length === 1) {
					push({
						type: "text",
						value,
						output: `\\${value}`
					});
					continue;
				}
				if (state.brackets === 0) {
					if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("opening", "["));
					push({
						type: "text",
						value,
						output: `\\${value}`
					});
					continue;
				}
				decrement("brackets");
				const prevValue = prev.value.slice(1);
				if (prev.posix !== true && prevValue[0] === "^" && !prevValue.includes("/")) value = `/${value}`;
				prev.value += value;
				append({ value });
				if (opts.literalBrackets === false || utils.hasRegexChars(prevValue)) continue;
				const escaped = utils.escapeRegex(prev.value);
				state.output = state.output.slice(0, -prev.value.length);
				if (opts.literalBrackets === true) {
					state.output += escaped;
					prev.value = escaped;
					continue;
				}
				prev.value = `(${capture}${escaped}|${prev.value})`;
				state.output += prev.value;
				continue;
			}
			/**
			* Braces
			*/
			if (value === "{" && opts.nobrace !== true) {
				increment("braces");
				const open = {
					type: "brace",
					value,
					output: "(",
					outputIndex: state.output.length,
					tokensIndex: state.tokens.length
				};
				braces.push(open);
				push(open);
				continue;
			}
			if (value === "}") {
				const brace = braces[braces.length - 1];
				if (opts.nobrace === true || !brace) {
					push({
						type: "text",
						value,
						output: value
					});
					continue;
				}
				let output = ")";
				if (brace.dots === true) {
					const arr = tokens.slice();
					const range = [];
					for (let i = arr.length - 1; i >= 0; i--) {
						tokens.pop();
						if (arr[i].type === "brace") break;
						if (arr[i].type !== "dots") range.unshift(arr[i].value);
					}
					output = expandRange(range, opts);
					state.backtrack = true;
				}
				if (brace.comma !== true && brace.dots !== true) {
					const out = state.output.slice(0, brace.outputIndex);
					const toks = state.tokens.slice(brace.tokensIndex);
					brace.value = brace.output = "\\{";
					value = output = "\\}";
					state.output = out;
					for (const t of toks) state.output += t.output || t.value;
				}
				push({
					type: "brace",
					value,
					output
				});
				decrement("braces");
				braces.pop();
				continue;
			}
			/**
			* Pipes
			*/
			if (value === "|") {
				if (extglobs.length > 0) extglobs[extglobs.length - 1].conditions++;
				push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Commas
			*/
			if (value === ",") {
				let output = value;
				const brace = braces[braces.length - 1];
				if (brace && stack[stack.length - 1] === "braces") {
					brace.comma = true;
					output = "|";
				}
				push({
					type: "comma",
					value,
					output
				});
				continue;
			}
			/**
			* Slashes
			*/
			if (value === "/") {
				if (prev.type === "dot" && state.index === state.start + 1) {
					state.start = state.index + 1;
					state.consumed = "";
					state.output = "";
					tokens.pop();
					prev = bos;
					continue;
				}
				push({
					type: "slash",
					value,
					output: SLASH_LITERAL
				});
				continue;
			}
			/**
			* Dots
			*/
			if (value === ".") {
				if (state.braces > 0 && prev.type === "dot") {
					if (prev.value === ".") prev.output = DOT_LITERAL;
					const brace = braces[braces.length - 1];
					prev.type = "dots";
					prev.output += value;
					prev.value += value;
					brace.dots = true;
					continue;
				}
				if (state.braces + state.parens === 0 && prev.type !== "bos" && prev.type !== "slash") {
					push({
						type: "text",
						value,
						output: DOT_LITERAL
					});
					continue;
				}
				push({
					type: "dot",
					value,
					output: DOT_LITERAL
				});
				continue;
			}
			/**
			* Question marks
			*/
			if (value === "?") {
				if (!(prev && prev.value === "(") && opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
					extglobOpen("qmark", value);
					continue;
				}
				if (prev && prev.type === "paren") {
					const next = peek();
					let output = value;
					if (prev.value === "(" && !/[!=<:]/.test(next) || next === "<" && !/<([!=]|\w+>)/.test(remaining())) output = `\\${value}`;
					push({
						type: "text",
						value,
						output
					});
					continue;
				}
				if (opts.dot !== true && (prev.type === "slash" || prev.type === "bos")) {
					push({
						type: "qmark",
						value,
						output: QMARK_NO_DOT
					});
					continue;
				}
				push({
					type: "qmark",
					value,
					output: QMARK
				});
				continue;
			}
			/**
			* Exclamation
			*/
			if (value === "!") {
				if (opts.noextglob !== true && peek() === "(") {
					if (peek(2) !== "?" || !/[!=<:]/.test(peek(3))) {
						extglobOpen("negate", value);
						continue;
					}
				}
				if (opts.nonegate !== true && state.index === 0) {
					negate();
					continue;
				}
			}
			/**
			* Plus
			*/
			if (value === "+") {
				if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
					extglobOpen("plus", value);
					continue;
				}
				if (prev && prev.value === "(" || opts.regex === false) {
					push({
						type: "plus",
						value,
						output: PLUS_LITERAL
					});
					continue;
				}
				if (prev && (prev.type === "bracket" || prev.type === "paren" || prev.type === "brace") || state.parens > 0) {
					push({
						type: "plus",
						value
					});
					continue;
				}
				push({
					type: "plus",
					value: PLUS_LITERAL
				});
				continue;
			}
			/**
			* Plain text
			*/
			if (value === "@") {
				if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
					push({
						type: "at",
						extglob: true,
						value,
						output: ""
					});
					continue;
				}
				push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Plain text
			*/
			if (value !== "*") {
				if (value === "$" || value === "^") value = `\\${value}`;
				const match = REGEX_NON_SPECIAL_CHARS.exec(remaining());
				if (match) {
					value += match[0];
					state.index += match[0].length;
				}
				push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Stars
			*/
			if (prev && (prev.type === "globstar" || prev.star === true)) {
				prev.type = "star";
				prev.star = true;
				prev.value += value;
				prev.output = star;
				state.backtrack = true;
				state.globstar = true;
				consume(value);
				continue;
			}
			let rest = remaining();
			if (opts.noextglob !== true && /^\([^?]/.test(rest)) {
				extglobOpen("star", value);
				continue;
			}
			if (prev.type === "star") {
				if (opts.noglobstar === true) {
					consume(value);
					continue;
				}
				const prior = prev.prev;
				const before = prior.prev;
				const isStart = prior.type === "slash" || prior.type === "bos";
				const afterStar = before && (before.type === "star" || before.type === "globstar");
				if (opts.bash === true && (!isStart || rest[0] && rest[0] !== "/")) {
					push({
						type: "star",
						value,
						output: ""
					});
					continue;
				}
				const isBrace = state.braces > 0 && (prior.type === "comma" || prior.type === "brace");
				const isExtglob = extglobs.length && (prior.type === "pipe" || prior.type === "paren");
				if (!isStart && prior.type !== "paren" && !isBrace && !isExtglob) {
					push({
						type: "star",
						value,
						output: ""
					});
					continue;
				}
				while (rest.slice(0, 3) === "/**") {
					const after = input[state.index + 4];
					if (after && after !== "/") break;
					rest = rest.slice(3);
					consume("/**", 3);
				}
				const isEnd = eos() || state.parens > 0 && rest === ")".repeat(state.parens) && !extglobs.some((extglob) => extglob.type === "negate");
				if (prior.type === "bos" && eos()) {
					prev.type = "globstar";
					prev.value += value;
					prev.output = globstar(opts);
					state.output = prev.output;
					state.globstar = true;
					consume(value);
					continue;
				}
				if (prior.type === "slash" && prior.prev.type !== "bos" && !afterStar && isEnd) {
					state.output = state.output.slice(0, -(prior.output + prev.output).length);
					prior.output = `(?:${prior.output}`;
					prev.type = "globstar";
					prev.output = globstar(opts) + (opts.strictSlashes ? ")" : "|$)");
					prev.value += value;
					state.globstar = true;
					state.output += prior.output + prev.output;
					consume(value);
					continue;
				}
				if (prior.type === "slash" && prior.prev.type !== "bos" && rest[0] === "/") {
					const end = rest[1] !== void 0 ? "|$" : "";
					state.output = state.output.slice(0, -(prior.output + prev.output).length);
					prior.output = `(?:${prior.output}`;
					prev.type = "globstar";
					prev.output = `${globstar(opts)}${SLASH_LITERAL}|${SLASH_LITERAL}${end})`;
					prev.value += value;
					state.output += prior.output + prev.output;
					state.globstar = true;
					consume(value + advance());
					push({
						type: "slash",
						value: "/",
						output: ""
					});
					continue;
				}
				if (prior.type === "bos" && rest[0] === "/") {
					prev.type = "globstar";
					prev.value += value;
					prev.output = `(?:^|${SLASH_LITERAL}|${globstar(opts)}${SLASH_LITERAL})`;
					state.output = prev.output;
					state.globstar = true;
					consume(value + advance());
					push({
						type: "slash",
						value: "/",
						output: ""
					});
					continue;
				}
				state.output = state.output.slice(0, -prev.output.length);
				prev.type = "globstar";
				prev.output = globstar(opts);
				prev.value += value;
				state.output += prev.output;
				state.globstar = true;
				consume(value);
				continue;
			}
			const token = {
				type: "star",
				value,
				output: star
			};
			if (opts.bash === true) {
				token.output = ".*?";
				if (prev.type === "bos" || prev.type === "slash") token.output = nodot + token.output;
				push(token);
				continue;
			}
			if (prev && (prev.type === "bracket" || prev.type === "paren") && opts.regex === true) {
				token.output = value;
				push(token);
				continue;
			}
			if (state.index === state.start || prev.type === "slash" || prev.type === "dot") {
				if (prev.type === "dot") {
					state.output += NO_DOT_SLASH;
					prev.output += NO_DOT_SLASH;
				} else if (opts.dot === true) {
					state.output += NO_DOTS_SLASH;
					prev.output += NO_DOTS_SLASH;
				} else {
					state.output += nodot;
					prev.output += nodot;
				}
				if (peek() !== "*") {
					state.output += ONE_CHAR;
					prev.output += ONE_CHAR;
				}
			}
			push(token);
		}
		while (state.brackets > 0) {
			if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "]"));
			state.output = utils.escapeLast(state.output, "[");
			decrement("brackets");
		}
		while (state.parens > 0) {
			if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", ")"));
			state.output = utils.escapeLast(state.output, "(");
			decrement("parens");
		}
		while (state.braces > 0) {
			if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "}"));
			state.output = utils.escapeLast(state.output, "{");
			decrement("braces");
		}
		if (opts.strictSlashes !== true && (prev.type === "star" || prev.type === "bracket")) push({
			type: "maybe_slash",
			value: "",
			output: `${SLASH_LITERAL}?`
		});
		if (state.backtrack === true) {
			state.output = "";
			for (const token of state.tokens) {
				state.output += token.output != null ? token.output : token.value;
				if (token.suffix) state.output += token.suffix;
			}
		}
		return state;
	};
	/**
	* Fast paths for creating regular expressions for common glob patterns.
	* This can significantly speed up processing and has very little downside
	* impact when none of the fast paths match.
	*/
	parse.fastpaths = (input, options) => {
		const opts = { ...options };
		const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
		const len = input.length;
		if (len > max) throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
		input = REPLACEMENTS[input] || input;
		const { DOT_LITERAL, SLASH_LITERAL, ONE_CHAR, DOTS_SLASH, NO_DOT, NO_DOTS, NO_DOTS_SLASH, STAR, START_ANCHOR } = constants.globChars(opts.windows);
		const nodot = opts.dot ? NO_DOTS : NO_DOT;
		const slashDot = opts.dot ? NO_DOTS_SLASH : NO_DOT;
		const capture = opts.capture ? "" : "?:";
		const state = {
			negated: false,
			prefix: ""
		};
		let star = opts.bash === true ? ".*?" : STAR;
		if (opts.capture) star = `(${star})`;
		const globstar = (opts) => {
			if (opts.noglobstar === true) return star;
			return `(${capture}(?:(?!${START_ANCHOR}${opts.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
		};
		const create = (str) => {
			switch (str) {
				case "*": return `${nodot}${ONE_CHAR}${star}`;
				case ".*": return `${DOT_LITERAL}${ONE_CHAR}${star}`;
				case "*.*": return `${nodot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
				case "*/*": return `${nodot}${star}${SLASH_LITERAL}${ONE_CHAR}${slashDot}${star}`;
				case "**": return nodot + globstar(opts);
				case "**/*": return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${ONE_CHAR}${star}`;
				case "**/*.*": return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
				case "**/.*": return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${DOT_LITERAL}${ONE_CHAR}${star}`;
				default: {
					const match = /^(.*?)\.(\w+)$/.exec(str);
					if (!match) return;
					const source = create(match[1]);
					if (!source) return;
					return source + DOT_LITERAL + match[2];
				}
			}
		};
		let source = create(utils.removePrefix(input, state));
		if (source && opts.strictSlashes !== true) source += `${SLASH_LITERAL}?`;
		return source;
	};
	module.exports = parse;
}));
//#endregion
//#region node_modules/picomatch/lib/picomatch.js
var require_picomatch$1 = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	const scan = require_scan();
	const parse = require_parse();
	const utils = require_utils();
	const constants = require_constants();
	const isObject = (val) => val && typeof val === "object" && !Array.isArray(val);
	/**
	* Creates a matcher function from one or more glob patterns. The
	* returned function takes a string to match as its first argument,
	* and returns true if the string is a match. The returned matcher
	* function also takes a boolean as the second argument that, when true,
	* returns an object with additional information.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch(glob[, options]);
	*
	* const isMatch = picomatch('*.!(*a)');
	* console.log(isMatch('a.a')); //=> false
	* console.log(isMatch('a.b')); //=> true
	*
	* // For environments without `node.js`, `picomatch/posix` provides you a dependency-free matcher, without automatic OS detection.
	* const picomatch = require('picomatch/posix');
	* // the same API, defaulting to posix paths
	* const isMatch = picomatch('a/*');
	* console.log(isMatch('a\\b')); //=> false
	* console.log(isMatch('a/b')); //=> true
	*
	* // you can still configure the matcher function to accept windows paths
	* const isMatch = picomatch('a/*', { options: windows });
	* console.log(isMatch('a\\b')); //=> true
	* console.log(isMatch('a/b')); //=> true
	* ```
	* @name picomatch
	* @param {String|Array} `globs` One or more glob patterns.
	* @param {Object=} `options`
	* @return {Function=} Returns a matcher function.
	* @api public
	*/
	const picomatch = (glob, options, returnState = false) => {
		if (Array.isArray(glob)) {
			const fns = glob.map((input) => picomatch(input, options, returnState));
			const arrayMatcher = (str) => {
				for (const isMatch of fns) {
					const state = isMatch(str);
					if (state) return state;
				}
				return false;
			};
			return arrayMatcher;
		}
		const isState = isObject(glob) && glob.tokens && glob.input;
		if (glob === "" || typeof glob !== "string" && !isState) throw new TypeError("Expected pattern to be a non-empty string");
		const opts = options || {};
		const posix = opts.windows;
		const regex = isState ? picomatch.compileRe(glob, options) : picomatch.makeRe(glob, options, false, true);
		const state = regex.state;
		delete regex.state;
		let isIgnored = () => false;
		if (opts.ignore) {
			const ignoreOpts = {
				...options,
				ignore: null,
				onMatch: null,
				onResult: null
			};
			isIgnored = picomatch(opts.ignore, ignoreOpts, returnState);
		}
		const matcher = (input, returnObject = false) => {
			const { isMatch, match, output } = picomatch.test(input, regex, options, {
				glob,
				posix
			});
			const result = {
				glob,
				state,
				regex,
				posix,
				input,
				output,
				match,
				isMatch
			};
			if (typeof opts.onResult === "function") opts.onResult(result);
			if (isMatch === false) {
				result.isMatch = false;
				return returnObject ? result : false;
			}
			if (isIgnored(input)) {
				if (typeof opts.onIgnore === "function") opts.onIgnore(result);
				result.isMatch = false;
				return returnObject ? result : false;
			}
			if (typeof opts.onMatch === "function") opts.onMatch(result);
			return returnObject ? result : true;
		};
		if (returnState) matcher.state = state;
		return matcher;
	};
	/**
	* Test `input` with the given `regex`. This is used by the main
	* `picomatch()` function to test the input string.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.test(input, regex[, options]);
	*
	* console.log(picomatch.test('foo/bar', /^(?:([^/]*?)\/([^/]*?))$/));
	* // { isMatch: true, match: [ 'foo/', 'foo', 'bar' ], output: 'foo/bar' }
	* ```
	* @param {String} `input` String to test.
	* @param {RegExp} `regex`
	* @return {Object} Returns an object with matching info.
	* @api public
	*/
	picomatch.test = (input, regex, options, { glob, posix } = {}) => {
		if (typeof input !== "string") throw new TypeError("Expected input to be a string");
		if (input === "") return {
			isMatch: false,
			output: ""
		};
		const opts = options || {};
		const format = opts.format || (posix ? utils.toPosixSlashes : null);
		let match = input === glob;
		let output = match && format ? format(input) : input;
		if (match === false) {
			output = format ? format(input) : input;
			match = output === glob;
		}
		if (match === false || opts.capture === true) if (opts.matchBase === true || opts.basename === true) match = picomatch.matchBase(input, regex, options, posix);
		else match = regex.exec(output);
		return {
			isMatch: Boolean(match),
			match,
			output
		};
	};
	/**
	* Match the basename of a filepath.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.matchBase(input, glob[, options]);
	* console.log(picomatch.matchBase('foo/bar.js', '*.js'); // true
	* ```
	* @param {String} `input` String to test.
	* @param {RegExp|String} `glob` Glob pattern or regex created by [.makeRe](#makeRe).
	* @return {Boolean}
	* @api public
	*/
	picomatch.matchBase = (input, glob, options, posix = options && options.windows) => {
		return (glob instanceof RegExp ? glob : picomatch.makeRe(glob, options)).test(utils.basename(input, { windows: posix }));
	};
	/**
	* Returns true if **any** of the given glob `patterns` match the specified `string`.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.isMatch(string, patterns[, options]);
	*
	* console.log(picomatch.isMatch('a.a', ['b.*', '*.a'])); //=> true
	* console.log(picomatch.isMatch('a.a', 'b.*')); //=> false
	* ```
	* @param {String|Array} str The string to test.
	* @param {String|Array} patterns One or more glob patterns to use for matching.
	* @param {Object} [options] See available [options](#options).
	* @return {Boolean} Returns true if any patterns match `str`
	* @api public
	*/
	picomatch.isMatch = (str, patterns, options) => picomatch(patterns, options)(str);
	/**
	* Parse a glob pattern to create the source string for a regular
	* expression.
	*
	* ```js
	* const picomatch = require('picomatch');
	* const result = picomatch.parse(pattern[, options]);
	* ```
	* @param {String} `pattern`
	* @param {Object} `options`
	* @return {Object} Returns an object with useful properties and output to be used as a regex source string.
	* @api public
	*/
	picomatch.parse = (pattern, options) => {
		if (Array.isArray(pattern)) return pattern.map((p) => picomatch.parse(p, options));
		return parse(pattern, {
			...options,
			fastpaths: false
		});
	};
	/**
	* Scan a glob pattern to separate the pattern into segments.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.scan(input[, options]);
	*
	* const result = picomatch.scan('!./foo/*.js');
	* console.log(result);
	* { prefix: '!./',
	*   input: '!./foo/*.js',
	*   start: 3,
	*   base: 'foo',
	*   glob: '*.js',
	*   isBrace: false,
	*   isBracket: false,
	*   isGlob: true,
	*   isExtglob: false,
	*   isGlobstar: false,
	*   negated: true }
	* ```
	* @param {String} `input` Glob pattern to scan.
	* @param {Object} `options`
	* @return {Object} Returns an object with
	* @api public
	*/
	picomatch.scan = (input, options) => scan(input, options);
	/**
	* Compile a regular expression from the `state` object returned by the
	* [parse()](#parse) method.
	*
	* ```js
	* const picomatch = require('picomatch');
	* const state = picomatch.parse('*.js');
	* // picomatch.compileRe(state[, options]);
	*
	* console.log(picomatch.compileRe(state));
	* //=> /^(?:(?!\.)(?=.)[^/]*?\.js)$/
	* ```
	* @param {Object} `state`
	* @param {Object} `options`
	* @param {Boolean} `returnOutput` Intended for implementors, this argument allows you to return the raw output from the parser.
	* @param {Boolean} `returnState` Adds the state to a `state` property on the returned regex. Useful for implementors and debugging.
	* @return {RegExp}
	* @api public
	*/
	picomatch.compileRe = (state, options, returnOutput = false, returnState = false) => {
		if (returnOutput === true) return state.output;
		const opts = options || {};
		const prepend = opts.contains ? "" : "^";
		const append = opts.contains ? "" : "$";
		let source = `${prepend}(?:${state.output})${append}`;
		if (state && state.negated === true) source = `^(?!${source}).*$`;
		const regex = picomatch.toRegex(source, options);
		if (returnState === true) regex.state = state;
		return regex;
	};
	/**
	* Create a regular expression from a parsed glob pattern.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.makeRe(state[, options]);
	*
	* const result = picomatch.makeRe('*.js');
	* console.log(result);
	* //=> /^(?:(?!\.)(?=.)[^/]*?\.js)$/
	* ```
	* @param {String} `state` The object returned from the `.parse` method.
	* @param {Object} `options`
	* @param {Boolean} `returnOutput` Implementors may use this argument to return the compiled output, instead of a regular expression. This is not exposed on the options to prevent end-users from mutating the result.
	* @param {Boolean} `returnState` Implementors may use this argument to return the state from the parsed glob with the returned regular expression.
	* @return {RegExp} Returns a regex created from the given pattern.
	* @api public
	*/
	picomatch.makeRe = (input, options = {}, returnOutput = false, returnState = false) => {
		if (!input || typeof input !== "string") throw new TypeError("Expected a non-empty string");
		let parsed = {
			negated: false,
			fastpaths: true
		};
		if (options.fastpaths !== false && (input[0] === "." || input[0] === "*")) parsed.output = parse.fastpaths(input, options);
		if (!parsed.output) parsed = parse(input, options);
		return picomatch.compileRe(parsed, options, returnOutput, returnState);
	};
	/**
	* Create a regular expression from the given regex source string.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.toRegex(source[, options]);
	*
	* const { output } = picomatch.parse('*.js');
	* console.log(picomatch.toRegex(output));
	* //=> /^(?:(?!\.)(?=.)[^/]*?\.js)$/
	* ```
	* @param {String} `source` Regular expression source string.
	* @param {Object} `options`
	* @return {RegExp}
	* @api public
	*/
	picomatch.toRegex = (source, options) => {
		try {
			const opts = options || {};
			return new RegExp(source, opts.flags || (opts.nocase ? "i" : ""));
		} catch (err) {
			if (options && options.debug === true) throw err;
			return /$^/;
		}
	};
	/**
	* Picomatch constants.
	* @return {Object}
	*/
	picomatch.constants = constants;
	/**
	* Expose "picomatch"
	*/
	module.exports = picomatch;
}));
//#endregion
//#region node_modules/picomatch/index.js
var require_picomatch = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	const pico = require_picomatch$1();
	const utils = require_utils();
	function picomatch(glob, options, returnState = false) {
		if (options && (options.windows === null || options.windows === void 0)) options = {
			...options,
			windows: utils.isWindows()
		};
		return pico(glob, options, returnState);
	}
	Object.assign(picomatch, pico);
	module.exports = picomatch;
}));
//#endregion
//#region src/evidence/scope.ts
/**
* The paths that no glob of `touch` matches. Paths are relative to the top of the tree with `/` between segments. A
* glob that names a folder means everything in it; dotfiles match like other files. Without globs nothing is out of
* scope, and the matcher is not even loaded.
*/
async function outOfScope(paths, touch) {
	if (touch.length === 0 || paths.length === 0) return [];
	const { default: picomatch } = await Promise.resolve().then(() => /* @__PURE__ */ __toESM(require_picomatch(), 1));
	const matches = picomatch(touch.map((glob) => glob.replace(/^\.\//, "").replace(/\/+$/, "")).flatMap((glob) => glob === "." || glob === "" ? ["**"] : [glob, `${glob}/**`]), {
		dot: true,
		windows: false
	});
	return paths.filter((path) => !matches(path));
}
//#endregion
//#region src/evidence/verdict.ts
/** Joins what was found into the evidence. Unknown is not clean: a gap anywhere makes the coverage incomplete. */
async function judge({ profile, touch }, findings, { possible, gaps: otherGaps }) {
	const { baseCommit, tree, touched, ignored } = findings;
	const seen = "failure" in tree ? null : tree;
	const changes = seen?.changes ?? [];
	const found = [
		...boundariesOf(findings).flatMap(({ violations }) => violations),
		...await scopeViolations(changes, touch),
		...profile === "read-only" ? readOnlyViolations(changes, ignoredChanges(ignored)) : []
	];
	const gaps = unique([...gapsOf(findings), ...otherGaps]);
	const evidence = {
		tree: changes.length > 0 ? "changed" : seen === null || seen.gaps.length > 0 ? "unknown" : "unchanged",
		beforeTree: tree.beforeTree,
		afterTree: seen?.afterTree ?? null,
		baseCommit,
		changes,
		violations: found.map(({ kind, detail }) => ({
			kind,
			detail,
			actor: possible(kind) ? "implementer-possible" : "excluded-by-sandbox"
		})),
		notices: unique(noticesOf(findings)),
		coverage: {
			complete: gaps.length === 0,
			gaps,
			ignored: ignored?.ignored ?? "not-scanned"
		}
	};
	return {
		evidence,
		touchedFiles: "lines" in touched ? touched.lines : null,
		readOnlyViolation: profile === "read-only" ? tripped(evidence) : void 0,
		patchPath: seen?.patchPath ?? null
	};
}
/** The evidence where there was nothing to look at, or no way to. */
function blindReport(profile, gaps) {
	return {
		evidence: {
			tree: "unknown",
			beforeTree: null,
			afterTree: null,
			baseCommit: null,
			changes: [],
			violations: [],
			notices: [],
			coverage: {
				complete: false,
				gaps,
				ignored: "not-scanned"
			}
		},
		touchedFiles: null,
		readOnlyViolation: profile === "read-only" ? null : void 0,
		patchPath: null
	};
}
/** Any violation counts, not only a changed file: `info/exclude` can hide one. */
function tripped({ violations, coverage }) {
	if (violations.length > 0) return true;
	return coverage.complete ? false : null;
}
function boundariesOf({ boundary, tree }) {
	return "failure" in tree ? [boundary] : [boundary, tree.nested];
}
function gapsOf(findings) {
	const { tree, touched, ignored } = findings;
	return [
		..."failure" in tree ? [`the working tree could not be compared: ${tree.failure}`] : [...tree.gaps, ...tree.doubts],
		...boundariesOf(findings).flatMap(({ gaps }) => gaps),
		..."reason" in touched ? [`the touched files are unknown: ${touched.reason}`] : [],
		...ignored?.ignored === "not-scanned" ? [`the ignored files are unknown: ${ignored.reason}`] : []
	];
}
function noticesOf(findings) {
	const { tree, removed, ignored } = findings;
	const changed = ignoredChanges(ignored);
	return [
		...boundariesOf(findings).flatMap(({ notices }) => notices),
		..."failure" in tree ? [] : tree.notices,
		...changed.length > 0 ? [`ignored files were changed: ${describe$1(changed)}`] : [],
		...removed.length > 0 ? [`placeholders that the killed sandbox had left were removed: ${removed.join(", ")}`] : []
	];
}
function ignoredChanges(ignored) {
	return ignored?.ignored === "scanned" ? ignored.changes : [];
}
function readOnlyViolations(changes, ignored) {
	const found = [];
	if (changes.length > 0) found.push({
		kind: "read-only",
		detail: `the working tree was changed: ${describe$1(changes)}`
	});
	if (ignored.length > 0) found.push({
		kind: "read-only",
		detail: `ignored files were changed: ${describe$1(ignored)}`
	});
	return found;
}
async function scopeViolations(changes, touch) {
	return (await outOfScope(unique(changes.flatMap(({ path, from }) => from === void 0 ? [path] : [from, path])), touch)).map((path) => ({
		kind: "scope",
		detail: `${path} was changed, outside of the declared scope (${touch.join(", ")})`
	}));
}
function describe$1(changes) {
	const named = changes.slice(0, 5).map(({ kind, path }) => `${path} (${kind})`);
	return named.join(", ") + (changes.length > named.length ? ` and ${changes.length - named.length} more` : "");
}
function unique(texts) {
	return [...new Set(texts)];
}
//#endregion
//#region src/evidence/observe.ts
init_errors();
init_layout();
/**
* Looks at the working tree and at everything that only the orchestrator may change: now, and again when `after` is
* called. What cannot be seen is a gap of the evidence and never clean; the only thing thrown is an abort.
*/
async function observe(request) {
	const { repository } = request;
	if ("problem" in repository) return blind(request, `${repository.detail}. ${repository.hint}`);
	let before;
	try {
		before = await lookBefore(request, repository);
	} catch (error) {
		if (request.signal?.aborted) throw error;
		return blind(request, withHint(error));
	}
	const { tree, baseCommit } = before;
	let previous = Promise.resolve();
	return {
		beforeTree: "failure" in tree ? null : tree.snapshot.tree,
		baseCommit,
		nestedGitDirs: "failure" in tree ? [] : nestedGitDirs(tree.nested.repositories),
		after: (end) => {
			const look = () => lookAfter(request, before, end);
			const report = previous.then(look, look);
			previous = report;
			return report;
		}
	};
}
function withHint(error) {
	return error instanceof BatonError && error.hint ? `${messageOf$1(error)}. ${error.hint}` : messageOf$1(error);
}
/** Nothing to compare: everything about the tree stays unknown, with the reason. */
function blind(request, reason) {
	return {
		beforeTree: null,
		baseCommit: null,
		nestedGitDirs: [],
		after: (end) => Promise.resolve(blindReport(request.profile, [reason, ...end.gaps]))
	};
}
async function lookBefore(request, repository) {
	const { signal } = request;
	const [frozen, boundary, ignored] = await Promise.all([
		freeze(repository, {
			env: request.env,
			timeoutMs: request.limits.gitTimeoutMs,
			...signal && { signal }
		}),
		lookAtBoundary(request, repository, signal),
		lookAtIgnored(request, repository, signal)
	]);
	const known = {
		repository,
		frozen,
		boundary,
		ignored,
		baseCommit: headOf(boundary),
		own: ownFiles(repository.top, request.runDir, frozen.ignoreCase),
		residue: readResidue(repository.top, request.cwd)
	};
	try {
		return {
			...known,
			tree: await lookAtTree(request, known)
		};
	} catch (error) {
		if (signal?.aborted) throw error;
		return {
			...known,
			tree: { failure: messageOf$1(error) }
		};
	}
}
async function lookAtTree(request, before) {
	const { runDir, limits, signal } = request;
	const { repository, own } = before;
	const { git } = openGit(request, before, "git", before.baseCommit, signal);
	const snapshot = await takeSnapshot({
		repository,
		git,
		maxUntrackedBytes: limits.maxUntrackedBytes,
		isOwn: own.isOwn,
		leaveOut: () => false,
		...signal && { signal }
	}, join(artifactPath(runDir, "snapshot"), "before.index"));
	return {
		snapshot,
		nested: await readNested(repository, snapshot, own.isOwn, signal)
	};
}
async function lookAfter(request, before, end) {
	const { repository } = before;
	const removed = end.killed ? removeResidue(before.residue) : [];
	const boundary = await lookAtBoundary(request, repository, end.signal);
	const head = headOf(boundary);
	const git = once(() => openGit(request, before, "git-after", before.baseCommit, end.signal));
	const statusGit = head === before.baseCommit ? git : () => openGit(request, before, "status-git", head, end.signal);
	const [touched, tree, ignored] = await Promise.all([
		touchedFiles(before, statusGit),
		changesOf(request, before, git, end.signal),
		lookAtIgnored(request, repository, end.signal)
	]);
	return judge(request, {
		baseCommit: before.baseCommit,
		tree,
		touched,
		removed,
		boundary: compareBoundary(before.boundary, boundary),
		ignored: before.ignored && ignored && withoutOwn(compareIgnored(before.ignored, ignored), before.own)
	}, end);
}
async function changesOf(request, before, git, signal) {
	const { tree, repository, residue, own, baseCommit } = before;
	if ("failure" in tree) return {
		beforeTree: null,
		failure: tree.failure
	};
	try {
		return await compareTrees({
			...tree,
			repository,
			residue,
			own,
			baseCommit,
			git: git(),
			limits: request.limits,
			runDir: request.runDir,
			signal
		});
	} catch (error) {
		return {
			beforeTree: tree.snapshot.tree,
			failure: messageOf$1(error)
		};
	}
}
async function touchedFiles(before, open) {
	try {
		const { git } = open();
		return await readTouchedFiles(git, join(before.repository.gitDir, "index"), before.own.pathspecs);
	} catch (error) {
		return { reason: messageOf$1(error) };
	}
}
/** Makes the value at the first call, and hands out that one ever after. */
function once(make) {
	let made = null;
	return () => (made ??= { value: make() }).value;
}
function lookAtBoundary(request, repository, signal) {
	const { env, cwd, runDir, limits } = request;
	return readBoundary(repository, {
		env,
		cwd,
		runDir,
		gitTimeoutMs: limits.gitTimeoutMs,
		...signal && { signal }
	});
}
function withoutOwn(difference, { isOwn }) {
	if (difference.ignored === "not-scanned") return difference;
	return {
		...difference,
		changes: difference.changes.filter(({ path }) => !isOwn(rawFrom(path)))
	};
}
async function lookAtIgnored({ env, limits }, repository, signal) {
	if (!limits.ignored) return null;
	return scanIgnored(repository, {
		env,
		gitTimeoutMs: limits.gitTimeoutMs,
		limits: limits.ignored,
		...signal && { signal }
	});
}
function openGit(request, { frozen }, name, head, signal) {
	return openPrivateGit(frozen, {
		folder: join(artifactPath(request.runDir, "snapshot"), name),
		objects: artifactPath(request.runDir, "objects"),
		head,
		env: request.env,
		timeoutMs: request.limits.gitTimeoutMs,
		...signal && { signal }
	});
}
/** The commit behind HEAD; null on an unborn branch. What is no object id is not handed to git. */
function headOf({ gitDir }) {
	const commit = gitDir.head?.commit ?? null;
	return commit !== null && /^[0-9a-f]{40,64}$/.test(commit) ? commit : null;
}
//#endregion
//#region src/dispatch/look-first.ts
/**
* The preflight and the before-snapshot: side by side for a write run; one after the other for a read-only one,
* where even a version probe that writes must not be taken for a part of the run.
*/
async function lookFirst(run, options, abort) {
	const { request } = run;
	const asked = request.implementer.probe({
		env: run.env,
		cwd: request.workdir,
		profile: request.profile,
		platform: process.platform,
		limitMs: request.limits.preflightMs,
		signal: abort.signal,
		stateHome: stateHome(request.env)
	});
	if (request.profile === "read-only") await asked;
	const [probe, before] = await Promise.all([asked, observeTree(run, abort)]);
	run.known.version = probe.version;
	for (const { text, gap } of probe.warnings) {
		run.warnings.push(text);
		if (gap) run.gaps.push(text);
	}
	for (const text of run.warnings) options.onWarning?.(text);
	return {
		probe,
		before
	};
}
async function observeTree(run, abort) {
	const { request } = run;
	try {
		return await observe({
			repository: run.repository,
			cwd: request.realWorkdir,
			runDir: run.directory,
			profile: request.profile,
			touch: request.touch,
			env: request.env,
			limits: {
				maxUntrackedBytes: request.limits.maxUntrackedBytes,
				gitTimeoutMs: request.limits.gitMs,
				...request.scanIgnored ? { ignored: request.limits.ignored } : {}
			},
			signal: abort.signal
		});
	} catch (error) {
		if (abort.cause() !== null) return null;
		throw error;
	}
}
//#endregion
//#region src/dispatch/lost-directory.ts
init_errors();
init_layout();
/**
* Somebody removed the directory of a run under way. It is not made again: nobody would look there. The brief tells it:
* parts of baton make folders of their own below, and with them the directory may be there again, but empty.
*/
function isDirectoryLost(run) {
	return !existsSync(artifactPath(run.directory, "brief"));
}
/** Whatever broke in a run whose directory is gone broke because of that, wherever it was noticed first. */
function whatBroke(run, error) {
	if (error instanceof BatonError || !isDirectoryLost(run)) return error;
	return new BatonError("run-directory-lost", `the run directory ${run.directory} was removed while the run was under way`, {
		hint: "there is no result.json: start the run again",
		cause: error
	});
}
//#endregion
//#region src/dispatch/profile.ts
init_errors();
/** What the run may do, by any of the flags that say so. Throws a UsageError where two of them disagree. */
function chooseProfile({ readOnly, dangerouslySkipPermissions, sandbox }) {
	if (readOnly && dangerouslySkipPermissions) throw new UsageError("--read-only and --dangerously-skip-permissions exclude each other: choose one");
	if (sandbox !== void 0) return {
		profile: bySandbox(sandbox, readOnly ?? false, dangerouslySkipPermissions ?? false),
		asked: true
	};
	if (readOnly) return {
		profile: "read-only",
		asked: true
	};
	if (dangerouslySkipPermissions) return {
		profile: "bypass",
		asked: true
	};
	return {
		profile: "write",
		asked: false
	};
}
const BY_MODE = {
	"read-only": "read-only",
	"workspace-write": "write",
	"danger-full-access": "bypass"
};
function bySandbox(mode, readOnly, skipPermissions) {
	if (!isMode(mode)) {
		const modes = Object.keys(BY_MODE).join(", ");
		throw new UsageError(`--sandbox ${JSON.stringify(mode)} is not a sandbox mode: choose ${modes}`);
	}
	if (skipPermissions) throw new UsageError("--sandbox and --dangerously-skip-permissions exclude each other: choose one");
	if (readOnly && mode !== "read-only") throw new UsageError(`--read-only and --sandbox ${mode} exclude each other: choose one`);
	return BY_MODE[mode];
}
function isMode(mode) {
	return Object.hasOwn(BY_MODE, mode);
}
//#endregion
//#region src/dispatch/request.ts
init_duration();
init_environment();
init_errors();
const POSITIVE_INTEGER = /^[1-9]\d*$/;
const POSITIVE_DECIMAL = /^(?:\d+(?:\.\d+)?|\.\d+)$/;
const AUTOCOMPACT = /^(?:auto|[1-9]\d*[km]?)$/i;
const DOMAIN = /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d+)?$/;
/** Checks options against the rules of the contract. Throws a UsageError that names the flag, the value and the rule. */
function checkOptions(options, lane = null) {
	const env = options.env ?? copyEnv(process.env);
	refuseRecursion(env);
	const brief = checkBrief(options.brief, "brief");
	const implementer = chooseImplementer(options.implementer ?? "claude", env);
	if (options.session !== void 0 && options.resumeLast) throw new UsageError("--session and --resume-last exclude each other: choose one");
	const { profile, asked: profileAsked } = chooseProfile(options);
	const duration = (value, flag) => value === void 0 ? null : parseDuration(value, flag);
	const request = {
		brief,
		...checkDirectory(options.cd ?? process.cwd()),
		implementer,
		lane,
		outDir: options.outDir === void 0 ? null : resolve(matching(options.outDir, "--out-dir", /^[^\0]+$/, "a path")),
		timeout: options.timeout ?? null,
		clocks: {
			wall: duration(options.timeout, "--timeout"),
			firstEvent: duration(options.firstEventTimeout, "--first-event-timeout"),
			idle: duration(options.idleTimeout, "--idle-timeout"),
			completionGrace: parseDuration(options.completionGrace ?? "30s", "--completion-grace")
		},
		clockFlags: {
			wall: lane?.dials.includes("timeout") ? `--lane ${lane.name} (timeout ${options.timeout})` : `--timeout ${options.timeout}`,
			firstEvent: `--first-event-timeout ${options.firstEventTimeout}`,
			idle: `--idle-timeout ${options.idleTimeout}`
		},
		model: optional(options.model, checkModel),
		effort: optional(options.effort, (value) => checkEffort(value, implementer)),
		maxTurns: optional(options.maxTurns, checkTurns),
		maxBudgetUsd: optional(options.maxBudgetUsd, checkBudget),
		autocompact: optional(options.autocompact, (value) => matching(value, "--autocompact", AUTOCOMPACT, "`auto` or a positive number of tokens such as 150000 or 150k")),
		resumeLast: options.resumeLast ?? false,
		parent: options.parent ?? null,
		session: optional(options.session, (value) => matching(value, "--session", SESSION_ID_FORM, "a session id of letters, digits and . _ : -, beginning with a letter or digit")),
		ephemeral: options.ephemeral ?? false,
		unrecorded: options.unrecorded ?? false,
		profile,
		profileAsked,
		cleanEnv: options.cleanEnv ?? false,
		keepEnv: checkKeepEnv(options.keepEnv ?? [], options.cleanEnv ?? false, env),
		skipGitRepoCheck: options.skipGitRepoCheck ?? false,
		allowHooks: options.allowHooks ?? false,
		allowWrite: (options.allowWrite ?? []).map(checkWritable),
		allowDomains: (options.allowDomains ?? []).map((host) => matching(host, "--allow-domain", DOMAIN, "a host name such as registry.npmjs.org or *.example.com")),
		scanIgnored: options.scanIgnored ?? false,
		touch: (options.touch ?? []).map((glob) => matching(glob, "--touch", /^[^\0]+$/, "a glob relative to the top of the working tree")),
		env,
		limits: {
			...DEFAULT_LIMITS,
			...options.limits
		}
	};
	checkCapabilities(request, options);
	const refusal = implementer.refuse({
		profile,
		env,
		platform: process.platform,
		uid: process.getuid?.()
	});
	if (refusal) throw new UsageError(refusal.message, { hint: refusal.hint });
	return request;
}
/** The sandbox ignores what does not exist, so that a missing directory would be refused silently in the middle of a run. */
function checkWritable(directory) {
	const path = resolve(directory);
	try {
		if (statSync(path).isDirectory()) return realpathSync(path);
	} catch (error) {
		throw new UsageError(`--allow-write ${JSON.stringify(path)} cannot be used: ${messageOf$1(error)}`, { cause: error });
	}
	throw new UsageError(`--allow-write ${JSON.stringify(path)} is not a directory`);
}
function checkTurns(value) {
	const text = matching(String(value), "--max-turns", POSITIVE_INTEGER, "a positive whole number");
	if (!Number.isSafeInteger(Number(text))) throw new UsageError(`--max-turns ${text} is too large`);
	return Number(text);
}
function checkBudget(value) {
	const text = matching(String(value), "--max-budget-usd", POSITIVE_DECIMAL, "a positive plain decimal such as 2.50");
	if (!(Number(text) > 0) || !Number.isFinite(Number(text))) throw new UsageError(`--max-budget-usd ${JSON.stringify(text)} must be more than zero`);
	return text;
}
/** A dial that the implementer does not know is refused, never dropped. */
function checkCapabilities(request, options) {
	const { capabilities, id } = request.implementer;
	const asked = [
		[
			request.session !== null,
			capabilities.resume,
			"--session"
		],
		[
			request.resumeLast,
			capabilities.resumeLast,
			"--resume-last"
		],
		[
			request.profile === "read-only",
			capabilities.readOnly,
			"--read-only"
		],
		[
			options.dangerouslySkipPermissions ?? false,
			capabilities.bypass,
			"--dangerously-skip-permissions"
		],
		[
			options.sandbox !== void 0,
			capabilities.sandboxModes,
			"--sandbox"
		],
		[
			request.ephemeral,
			capabilities.ephemeral,
			"--ephemeral"
		],
		[
			request.cleanEnv,
			capabilities.cleanEnv,
			"--clean-env"
		],
		[
			request.skipGitRepoCheck,
			capabilities.skipGitRepoCheck,
			"--skip-git-repo-check"
		],
		[
			request.allowDomains.length > 0,
			capabilities.allowDomains,
			"--allow-domain"
		],
		[
			request.model !== null,
			capabilities.model,
			"--model"
		],
		[
			request.effort !== null,
			capabilities.effort !== false,
			"--effort"
		],
		[
			request.maxTurns !== null,
			capabilities.maxTurns,
			"--max-turns"
		],
		[
			request.maxBudgetUsd !== null,
			capabilities.maxBudgetUsd,
			"--max-budget-usd"
		],
		[
			request.autocompact !== null,
			capabilities.autocompact,
			"--autocompact"
		]
	];
	for (const [wanted, supported, flag] of asked) if (wanted && !supported) throw new UsageError(`${flag} is not supported by the implementer ${id}`);
}
function optional(value, check) {
	return value === void 0 ? null : check(value);
}
//#endregion
//#region src/dispatch/claim.ts
init_layout();
/** What the implementer said of itself; of one that left before its first record, what its stderr says of that. */
function finalClaim(run, outcome) {
	const claim = run.reader.claim();
	const leftAtOnce = outcome?.process.exit === "code" && outcome.code !== 0 && outcome.stream.events === 0;
	const { implementer } = run.request;
	const start = leftAtOnce ? implementer.falseStart?.(stderrTail(artifactPath(run.directory, "stderr"))) : null;
	if (!start) return claim;
	return {
		...claim,
		reason: start.reason,
		retryable: start.retryable,
		errorText: start.text
	};
}
//#endregion
//#region src/dispatch/settle.ts
init_clock();
init_errors();
init_artifact();
/** The run is over, but its result could not be kept: the disk is full, or the run directory was removed. */
var ResultNotWritten = class extends BatonError {
	name = "ResultNotWritten";
	result;
	constructor(result, cause) {
		super("result-not-written", `the result could not be written: ${messageOf$1(cause)}`, { cause });
		this.result = result;
	}
};
/** Looks at the tree again, judges, and writes the result: the one file that callers wait for, written last. */
async function settle(run, look, outcome, abort) {
	run.live.phase("settling");
	await abort.settled();
	const report = await lookAgain(run, look, outcome);
	const claim = finalClaim(run, outcome);
	const result = composeResult({
		run,
		finishedAt: new Date(systemClock.wall()),
		verdict: verdictOf(run, look, outcome, claim, abort),
		claim,
		process: outcome?.process ?? noProcess(unstartedExit(abort), elapsed(run)),
		stream: outcome?.stream ?? NO_STREAM,
		report,
		sandboxMissing: outcome?.stopped?.kind === "sandbox"
	});
	try {
		if (isDirectoryLost(run)) throw new Error("the run directory is gone");
		const kept = keepFinalText(run.directory, result.finalMessage);
		writeResult(run.directory, result);
		if (!kept) keepFinalText(run.directory, result.finalMessage);
	} catch (error) {
		throw new ResultNotWritten(result, whatBroke(run, error));
	}
	run.live.phase("finished");
	return result;
}
/** False on a full disk, which must not cost the run its result: the text is in there all the same. */
function keepFinalText(directory, text) {
	try {
		writeArtifact(directory, "final", text);
		return true;
	} catch (error) {
		if (systemCode(error) !== "ENOSPC" && systemCode(error) !== "EDQUOT") throw error;
		return false;
	}
}
function unstartedExit(abort) {
	return abort.cause() === null ? "not-started" : "aborted";
}
function verdictOf(run, look, outcome, claim, abort) {
	const { implementer, clockFlags, limits } = run.request;
	const cause = abort.cause();
	if (cause !== null && (outcome === null || outcome.process.exit === "aborted")) return judgeAbort(cause);
	if (outcome === null) return judgePreflight(implementer, look.probe, limits.preflightMs);
	return judge$1({
		id: implementer.id,
		unavailable: implementer.unavailable,
		claim,
		clockFlags
	}, outcome);
}
async function lookAgain(run, look, outcome) {
	const readOnly = run.request.profile === "read-only";
	if (look.before === null) return unseenEvidence("the run was ended before the working tree had been looked at", readOnly);
	if (isDirectoryLost(run)) return unseenEvidence("the run directory was removed while the run was under way", readOnly);
	try {
		return await look.before.after({
			killed: outcome?.killed ?? false,
			possible: possibleViolations(run, outcome),
			gaps: [
				...run.gaps,
				...outcome?.gaps ?? [],
				...sandboxGap(run, outcome)
			]
		});
	} catch (error) {
		return unseenEvidence(`the working tree could not be compared: ${messageOf$1(error)}`, readOnly);
	}
}
/** The sandbox excludes something only where the CLI itself said that it was on. */
function possibleViolations(run, outcome) {
	const { implementer, profile, allowHooks, allowWrite } = run.request;
	if (outcome === null) return () => false;
	if (!(!run.known.plan.sandboxRequired || run.reader.claim().sandboxEnabled === true) || run.gaps.length > 0) return () => true;
	const { lines } = implementer.containment({
		profile,
		platform: process.platform,
		allowHooks,
		allowWrite
	});
	return (kind) => lines.every((line) => line.kind !== kind) || lines.some((line) => line.kind === kind && line.possible);
}
function sandboxGap(run, outcome) {
	if (outcome === null || !run.known.plan.sandboxRequired || run.reader.claim().sandboxEnabled !== null) return [];
	return [`this version of ${run.request.implementer.id} did not say whether its shell sandbox was on`];
}
//#endregion
//#region src/dispatch/dispatch.ts
init_locate();
/** Starts a run and returns at once. It ends no process but the run's, prints nothing, and installs no signal handler. */
function startRun(options) {
	const opened = deferred();
	const over = new AbortController();
	const result = carryOut(options, opened.resolve).finally(() => {
		opened.resolve(null);
		over.abort();
	});
	return {
		events: eventsOf(opened.promise, over.signal),
		result
	};
}
/** Hands the brief over and waits for the result. */
function dispatch(options) {
	return startRun(options).result;
}
/** The whole story: check, open, look, launch, look again, write down. */
async function carryOut(options, onOpened) {
	const laned = await withLane(options);
	const request = checkOptions(laned.options, laned.lane);
	const run = openRun(request, await locateRepository(request.realWorkdir, request.env, request.limits.gitMs));
	const abort = watchAbort(run, options);
	try {
		onOpened(run);
		const { id: runId, directory } = run;
		options.onStart?.({
			runId,
			directory
		});
		await options.beforeLook?.({
			runId,
			directory,
			signal: abort.signal,
			hurry: abort.hurry
		});
		const look = await lookFirst(run, options, abort);
		return await settle(run, look, await launch(run, look, options, abort), abort);
	} catch (error) {
		throw whatBroke(run, error);
	} finally {
		abort.stop();
		run.close();
	}
}
//#endregion
//#region src/commands/read-all.ts
/** All of a stream, byte for byte. */
async function readAll(stream) {
	const chunks = [];
	for await (const chunk of stream) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks);
}
//#endregion
//#region src/commands/brief.ts
init_errors();
/** Reads the brief, byte for byte, from its file or else from stdin. A terminal on stdin is nobody's brief. */
async function readBrief(file, io) {
	if (file !== void 0) try {
		return readFileSync(file);
	} catch (error) {
		throw new UsageError(`--brief ${JSON.stringify(file)} cannot be read: ${messageOf$1(error)}`, { cause: error });
	}
	if (io.stdin.isTTY) throw new UsageError("there is no brief: name a file with --brief <file>, or pipe it into stdin");
	return readAll(io.stdin);
}
//#endregion
//#region src/commands/flags.ts
/** A flag's value: one that begins with `-` is the next flag, and the value was forgotten. */
function value(text) {
	if (text.startsWith("-")) throw new InvalidArgumentError(`It needs a value, and ${JSON.stringify(text)} looks like the next flag.`);
	return text;
}
/** The value of a flag that may be given several times. */
function values(text, before) {
	return [...before ?? [], value(text)];
}
//#endregion
//#region src/commands/dials.ts
/** Adds what every command that starts a run takes. */
function withDials(command) {
	return command.option("--brief <file>", "the brief; without it, stdin", value).option("--cd <dir>", "directory to work in (default: here)", value).option("--implementer <id>", "who does it (default: as the lane says, else claude)", value).option("--lane <name>", "a named set of dials, for one kind of work", value).option("--out-dir <dir>", "run directory (default: a new one)", value).option("--timeout <dur>", "limit of the whole run, such as 30m or 1h30m", value).option("--idle-timeout <dur>", "limit of silence (default: off)", value).option("--first-event-timeout <dur>", "limit until the first event (default: off)", value).option("--completion-grace <dur>", "how long it may go on after its result (default: 30s)", value).option("--model <name>", "model of the implementer", value).option("--effort <level>", "claude: low, medium, high, xhigh, max, ultracode; codex: any word", value).option("--max-turns <n>", "most turns", value).option("--max-budget-usd <amount>", "most US dollars", value).option("--autocompact <auto|tokens>", "when to compact the context, such as auto or 150k", value).option("--resume-last", "go on with this directory's last session").option("--session <id>", "go on with this session", value).option("--read-only", "nothing may be written; a tripwire tells whether something was").option("--dangerously-skip-permissions", "no permission checks; sandbox and deny rules stay").option("--sandbox <mode>", "codex: read-only, workspace-write, danger-full-access", value).option("--allow-hooks", "let the project's agent hooks run (outside the sandbox)").option("--allow-write <dir>", "one more directory that commands may write (repeatable)", values).option("--allow-domain <host>", "one more host that commands may reach (repeatable)", values).option("--clean-env", "codex: inherit no variables but a basic few (see below)").option("--keep-env <name>", "with --clean-env: keep this variable too (repeatable)", values).option("--ephemeral", "codex: keep no session; it cannot be resumed").option("--skip-git-repo-check", "codex: work outside of a git repository").option("--touch <glob>", "declared scope; a change outside is reported (repeatable)", values).option("--scan-ignored", "look at ignored files as well (size and time, not contents)").option("--json", "the result on stdout, nothing else").option("--quiet", "only the summary");
}
function optionsOf({ allowDomain, ...flags }) {
	return {
		...flags,
		...allowDomain === void 0 ? {} : { allowDomains: allowDomain }
	};
}
/** Adds what runs the project's gates around a dispatch. */
function withGateFlags(command) {
	return command.option("--check", "run the project's gates right after a run that completed").option("--baseline", "run them before it, too: which failed already?").option("--gate <name=command>", "one more gate (repeatable); alone, it means --check", values);
}
//#endregion
//#region src/commands/live-line.ts
init_duration();
init_text();
const FRAME_MS = 200;
/**
* One line on a terminal that says what the implementer is doing. It is drawn over itself, gives way to other
* output (`above`), and leaves nothing behind.
*/
var LiveLine = class {
	#out;
	#style;
	#started = performance.now();
	#timer;
	#doing = "starting";
	#tools = 0;
	#drawn = false;
	constructor(out, style) {
		this.#out = out;
		this.#style = style;
		this.#timer = setInterval(() => this.#draw(), FRAME_MS);
		this.#timer.unref();
		this.#draw();
	}
	show(event) {
		if (event.type === "tool-started") this.#tools += 1;
		this.#doing = describe(event) ?? this.#doing;
	}
	/** Writes `chunk` where the line stands, and puts the line below it. */
	above(chunk) {
		this.#clear();
		this.#out.write(chunk);
		if (chunk.at(-1) !== 10) this.#out.write("\n");
		this.#draw();
	}
	stop() {
		clearInterval(this.#timer);
		this.#clear();
	}
	#draw() {
		const head = `${formatDuration(performance.now() - this.#started)}  ${this.#tools} tools  `;
		const width = Math.max(20, (this.#out.columns || 80) - 1);
		const doing = truncate(this.#doing, Math.max(0, width - head.length));
		this.#out.write(`\r\u001b[2K${this.#style.dim(head)}${doing}`);
		this.#drawn = true;
	}
	#clear() {
		if (this.#drawn) this.#out.write("\r\x1B[2K");
		this.#drawn = false;
	}
};
/** A few words about an event; null for one that is not worth a change of the line. */
function describe(event) {
	switch (event.type) {
		case "session": return `session ${event.sessionId}`;
		case "text": return oneLine(truncate(event.text, 400));
		case "thinking": return "thinking";
		case "tool-started": return `${event.tool} ${oneLine(truncate(subject(event.input), 400))}`;
		case "denied": return `denied: ${event.tool}`;
		case "notice": return oneLine(truncate(event.text, 400));
		case "needs-input": return `asks: ${oneLine(truncate(event.question ?? event.tool, 400))}`;
		case "finished": return event.claim === "success" ? "finished, ending" : `failed: ${oneLine(truncate(event.text, 400))}`;
		case "tool-finished":
		case "usage":
		case "unknown": return null;
	}
}
/** What a tool call is about: the command or file of the common tools, else its input. */
function subject(input) {
	if (typeof input !== "object" || input === null) return "";
	for (const key of [
		"command",
		"cmd",
		"file_path",
		"path",
		"pattern",
		"url",
		"query"
	]) {
		const value = Object.entries(input).find(([name]) => name === key)?.[1];
		if (typeof value === "string") return value;
	}
	return JSON.stringify(input) ?? "";
}
//#endregion
//#region src/commands/style.ts
var import_picocolors = /* @__PURE__ */ __toESM((/* @__PURE__ */ __commonJSMin(((exports, module) => {
	let p = process || {}, argv = p.argv || [], env = p.env || {};
	let isColorSupported = !(!!env.NO_COLOR || argv.includes("--no-color")) && (!!env.FORCE_COLOR || argv.includes("--color") || p.platform === "win32" || (p.stdout || {}).isTTY && env.TERM !== "dumb" || !!env.CI);
	let formatter = (open, close, replace = open) => (input) => {
		let string = "" + input, index = string.indexOf(close, open.length);
		return ~index ? open + replaceClose(string, close, replace, index) + close : open + string + close;
	};
	let replaceClose = (string, close, replace, index) => {
		let result = "", cursor = 0;
		do {
			result += string.substring(cursor, index) + replace;
			cursor = index + close.length;
			index = string.indexOf(close, cursor);
		} while (~index);
		return result + string.substring(cursor);
	};
	let createColors = (enabled = isColorSupported) => {
		let f = enabled ? formatter : () => String;
		return {
			isColorSupported: enabled,
			reset: f("\x1B[0m", "\x1B[0m"),
			bold: f("\x1B[1m", "\x1B[22m", "\x1B[22m\x1B[1m"),
			dim: f("\x1B[2m", "\x1B[22m", "\x1B[22m\x1B[2m"),
			italic: f("\x1B[3m", "\x1B[23m"),
			underline: f("\x1B[4m", "\x1B[24m"),
			inverse: f("\x1B[7m", "\x1B[27m"),
			hidden: f("\x1B[8m", "\x1B[28m"),
			strikethrough: f("\x1B[9m", "\x1B[29m"),
			black: f("\x1B[30m", "\x1B[39m"),
			red: f("\x1B[31m", "\x1B[39m"),
			green: f("\x1B[32m", "\x1B[39m"),
			yellow: f("\x1B[33m", "\x1B[39m"),
			blue: f("\x1B[34m", "\x1B[39m"),
			magenta: f("\x1B[35m", "\x1B[39m"),
			cyan: f("\x1B[36m", "\x1B[39m"),
			white: f("\x1B[37m", "\x1B[39m"),
			gray: f("\x1B[90m", "\x1B[39m"),
			bgBlack: f("\x1B[40m", "\x1B[49m"),
			bgRed: f("\x1B[41m", "\x1B[49m"),
			bgGreen: f("\x1B[42m", "\x1B[49m"),
			bgYellow: f("\x1B[43m", "\x1B[49m"),
			bgBlue: f("\x1B[44m", "\x1B[49m"),
			bgMagenta: f("\x1B[45m", "\x1B[49m"),
			bgCyan: f("\x1B[46m", "\x1B[49m"),
			bgWhite: f("\x1B[47m", "\x1B[49m"),
			blackBright: f("\x1B[90m", "\x1B[39m"),
			redBright: f("\x1B[91m", "\x1B[39m"),
			greenBright: f("\x1B[92m", "\x1B[39m"),
			yellowBright: f("\x1B[93m", "\x1B[39m"),
			blueBright: f("\x1B[94m", "\x1B[39m"),
			magentaBright: f("\x1B[95m", "\x1B[39m"),
			cyanBright: f("\x1B[96m", "\x1B[39m"),
			whiteBright: f("\x1B[97m", "\x1B[39m"),
			bgBlackBright: f("\x1B[100m", "\x1B[49m"),
			bgRedBright: f("\x1B[101m", "\x1B[49m"),
			bgGreenBright: f("\x1B[102m", "\x1B[49m"),
			bgYellowBright: f("\x1B[103m", "\x1B[49m"),
			bgBlueBright: f("\x1B[104m", "\x1B[49m"),
			bgMagentaBright: f("\x1B[105m", "\x1B[49m"),
			bgCyanBright: f("\x1B[106m", "\x1B[49m"),
			bgWhiteBright: f("\x1B[107m", "\x1B[49m")
		};
	};
	module.exports = createColors();
	module.exports.createColors = createColors;
})))(), 1);
function styleFor(colour) {
	return import_picocolors.default.createColors(colour);
}
//#endregion
//#region src/commands/summary.ts
init_duration();
init_text();
const MAX_LISTED = 20;
/**
* The result for a person. How it ended, what the implementer says, and what baton saw stand apart; the last line
* never says that nothing was committed when something was.
*/
function summaryOf(result, style, { resumable }) {
	return `${[
		heading(result, style),
		facts(result, style),
		changes(result, style),
		warnings(result, style),
		stderrBlock(result, style),
		report(result, style),
		ending(result, style, resumable)
	].filter((block) => block.length > 0).map((block) => block.join("\n")).join("\n\n")}\n`;
}
function heading(result, style) {
	const paint = result.status === "completed" ? style.green : style.red;
	const details = [
		`exit ${result.exitCode}`,
		...result.signal ? [result.signal] : [],
		formatDuration(result.process.durationMs)
	];
	const lines = [`${style.bold(paint(result.status))}  ${result.implementer}  ${style.dim(details.join(", "))}`];
	if (result.error) lines.push(paint(oneLine(result.error)));
	if (result.agent.claim === "success" && result.status !== "completed") lines.push(style.yellow(`the implementer claims success, the process did not end well: judge the work by the evidence`));
	return lines;
}
function facts(result, style) {
	const rows = [
		["version", result.claudeVersion ?? result.codexVersion ?? "none"],
		["permission", `${result.permissionMode ?? result.sandbox ?? "unknown"}, shell sandbox ${result.shellSandbox}`],
		["session", sessionOf(result) ?? "none"],
		["claim", claimLine(result)],
		["turns", `${result.numTurns ?? "unknown"}, ${count(result.agent.toolCalls, "tool call")}`],
		["cost", costLine(result)]
	];
	if (result.lane !== null) rows.push(["lane", laneLine(result)]);
	if (result.cleanEnv) rows.push(["environment", `clean, kept: ${result.keepEnv?.join(", ") || "nothing more"}`]);
	if (result.widened) rows.push(["widened", widenedLine(result.widened)]);
	return rows.map(([name, value]) => `${style.dim(name.padEnd(11))}${oneLine(value)}`);
}
function sessionOf(result) {
	return result.sessionId ?? result.threadId ?? null;
}
function claimLine({ agent }) {
	const retry = agent.retryAt ? `, retry after ${agent.retryAt}` : agent.retryable ? ", can be retried" : "";
	const retries = agent.retries > 0 ? `, ${agent.retries} retries` : "";
	return `${agent.claim}${agent.reason ? ` (${agent.reason})` : ""}${retry}${retries}`;
}
function costLine({ cost }) {
	const usd = cost.usd === null ? "unknown" : `$${cost.usd.toFixed(4)}`;
	const tokens = [
		cost.inputTokens === null ? null : `${cost.inputTokens} in`,
		cost.cachedTokens ? `${cost.cachedTokens} cached` : null,
		cost.outputTokens === null ? null : `${cost.outputTokens} out`
	].filter((part) => part !== null);
	return tokens.length > 0 ? `${usd}, tokens ${tokens.join(", ")}` : usd;
}
/** The lane, and which dials are the way they are by it. */
function laneLine({ lane, laneSource, laneDials = [] }) {
	return `${lane} (${laneSource})${laneDials.length > 0 ? `, which set ${laneDials.join(", ")}` : ""}`;
}
function widenedLine(widened) {
	return [
		...widened.hooks ? ["agent hooks (they run outside the sandbox)"] : [],
		...widened.write.map((path) => `write ${path}`),
		...widened.domains.map((host) => `host ${host}`)
	].join(", ");
}
function changes(result, style) {
	const { tree, changes: list } = result.evidence;
	if (tree === "unknown") return [style.yellow("what changed is unknown"), ...result.evidence.coverage.gaps.map((gap) => `  ${oneLine(gap)}`)];
	if (list.length === 0) return ["this run changed nothing in the working tree"];
	const lines = [style.bold(`this run changed ${count(list.length, "file")}`), ...list.slice(0, MAX_LISTED).map((change) => changeLine(change, style))];
	if (list.length > MAX_LISTED) lines.push(style.dim(`  … and ${list.length - MAX_LISTED} more`));
	return lines;
}
const MARKS = {
	added: "A",
	modified: "M",
	deleted: "D",
	renamed: "R",
	mode: "X",
	type: "T"
};
function changeLine(change, style) {
	const paint = change.kind === "added" ? style.green : change.kind === "deleted" ? style.red : style.yellow;
	const name = change.from === void 0 ? visible(change.path) : `${visible(change.from)} -> ${visible(change.path)}`;
	const size = change.added === null || change.deleted === null ? "binary" : `+${change.added} -${change.deleted}`;
	const dirty = change.preexisting ? ", had uncommitted changes before" : "";
	return `  ${paint(MARKS[change.kind])} ${name}  ${style.dim(`${size}${dirty}`)}`;
}
/** A file name may hold anything, escape sequences among it: what is shown must not drive the terminal. */
function visible(path) {
	return path.replace(/[\u0000-\u001f\u007f-\u009f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
function warnings(result, style) {
	const lines = [];
	for (const { kind, detail, actor } of result.evidence.violations) {
		const who = actor === "excluded-by-sandbox" ? " (the sandbox excludes the implementer: look for another actor)" : "";
		lines.push(style.red(`violation  ${kind}: ${oneLine(detail)}${who}`));
	}
	if (result.readOnlyViolation === true) lines.push(style.red("violation  something was written during a read-only run"));
	for (const denial of result.agent.denials.slice(0, MAX_LISTED)) {
		const input = truncate(oneLine(JSON.stringify(denial.input) ?? ""), 120);
		lines.push(style.yellow(`denied     ${oneLine(denial.tool)} ${input}${denial.reason ? `: ${oneLine(denial.reason)}` : ""}`));
	}
	for (const notice of result.evidence.notices) lines.push(style.dim(`notice     ${oneLine(notice)}`));
	if (result.evidence.tree !== "unknown") for (const gap of result.evidence.coverage.gaps) lines.push(style.yellow(`not seen   ${oneLine(gap)}`));
	const { swept, survivors } = result.process;
	if (swept.length > 0) lines.push(style.dim(`ended      ${count(swept.length, "process", "processes")} that the implementer left: ${names(swept)}`));
	if (survivors.length > 0) lines.push(style.red(`alive      ${count(survivors.length, "process", "processes")} could not be ended: ${names(survivors)}`));
	if (result.stream.truncated) lines.push(style.yellow("stream     it was cut: the last record is incomplete, or the log shrank"));
	if (result.stream.oversize > 0) lines.push(style.yellow(`stream     ${count(result.stream.oversize, "record")} over the size limit skipped`));
	return lines;
}
function names(processes) {
	return processes.map(({ pid, command }) => `${pid} ${truncate(oneLine(command), 60)}`).join(", ");
}
function stderrBlock(result, style) {
	if (!result.stderrTail || result.stderrTail.length === 0) return [];
	return [style.bold("last of stderr"), ...result.stderrTail.map((line) => `  ${oneLine(line)}`)];
}
function report(result, style) {
	if (result.finalMessage.trim() === "") return ["the implementer left no final text"];
	const source = result.resultSubtype !== void 0 && result.agent.finalTextSource === "assistant" ? " (its last text, the result had none)" : "";
	return [style.bold(`report of the implementer${source}`), ...result.finalMessage.trimEnd().split("\n").map((line) => `  ${visible(line)}`)];
}
function ending(result, style, resumable) {
	const lines = [];
	const session = sessionOf(result);
	const who = result.implementer === "claude" ? "" : ` --implementer ${result.implementer}`;
	if (resumable && session !== null && SESSION_ID_FORM.test(session)) lines.push(`${style.dim("resume     ")}baton dispatch${who} --session ${session} --cd ${quote(result.workdir)} --brief <file>`);
	if (result.patchPath) lines.push(`${style.dim("patch      ")}${result.patchPath}`);
	if (result.resultPath) lines.push(`${style.dim("result     ")}${result.resultPath}`);
	lines.push(boundaryLine(result));
	return lines;
}
/** The one sentence that a caller may rely on: it names what was done against the rules, or what could not be seen. */
function boundaryLine(result) {
	const against = result.evidence.violations.filter(({ kind }) => kind === "commit" || kind === "ref" || kind === "stash");
	if (against.length > 0) return `baton committed nothing, but the repository's history was changed during the run: ${against.map(({ detail }) => oneLine(detail)).join("; ")}`;
	if (result.evidence.tree === "unknown") return "baton committed nothing; whether the implementer did could not be seen";
	if (!result.evidence.coverage.complete) return "baton committed nothing; no commit was seen during the run, but not everything could be seen";
	return "baton committed nothing, and no commit was made during the run";
}
function count(n, one, many = `${one}s`) {
	return `${n} ${n === 1 ? one : many}`;
}
function quote(path) {
	return /^[A-Za-z0-9_./~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
//#endregion
//#region src/commands/dispatch.ts
function configureDispatch(command, io, defaults, done) {
	const dialled = withDials(command).description("Hand a brief to an implementer, keep everything, and prove what the run changed.");
	const gated = defaults.gates ? withGateFlags(command) : null;
	const checked = defaults.briefs ? command.option("--check-brief", "refuse a brief that `baton brief check` finds errors in") : null;
	dialled.addHelpText("after", HELP).action(async ({ brief: file, json = false, quiet = false, ...flags }) => {
		const options = {
			...defaults.implementer === void 0 ? {} : { implementer: defaults.implementer },
			...defaults.outDir === void 0 ? {} : { outDir: defaults.outDir },
			...optionsOf(flags),
			brief: await readBrief(file, io),
			env: io.env
		};
		if (checked?.opts().checkBrief) await (await defaults.briefs?.())?.refuseBrief(options, io);
		const show = {
			json,
			quiet,
			resumable: !options.ephemeral
		};
		const asked = gated?.opts() ?? {};
		const withGates = asked.gate || asked.check || asked.baseline ? await defaults.gates?.() : void 0;
		done(withGates ? await withGates.runWithGates(options, asked, io, show) : await runAndShow(options, dispatch, io, show));
	});
}
/** Runs a dispatch in front of a person or a pipe: live line and stderr while it runs, the summary or the JSON after it. */
async function runAndShow(options, run, io, show) {
	const live = io.stderr.isTTY && !show.quiet && !show.json ? new LiveLine(io.stderr, styleFor(io.colour)) : null;
	const say = (text) => {
		if (live) live.above(Buffer.from(text));
		else io.stderr.write(text);
	};
	try {
		const result = await run({
			...options,
			...io.interruptible(),
			onEvent: (event) => live?.show(event),
			onWarning: (text) => say(`baton: ${text}\n`),
			...show.quiet ? {} : { onStderr: (chunk) => live ? live.above(chunk) : io.stderr.write(chunk) }
		});
		live?.stop();
		print(result);
		return result.exitCode;
	} catch (error) {
		live?.stop();
		if (!(error instanceof ResultNotWritten)) throw error;
		print(error.result);
		io.stderr.write(`baton: ${error.message}\n`);
		return error.result.exitCode || 1;
	}
	function print(result) {
		io.stdout.write(show.json ? `${JSON.stringify(result)}\n` : summaryOf(result, styleFor(io.colour), show));
	}
}
const HELP = `
Each dial is the flag's, else the lane's (\`baton lanes list\`), else the default.

Durations are hours, minutes and seconds, such as 90s, 5m, 1h30m.

--clean-env scopes inherited variables only: it protects neither files nor other secrets of the same user. Where
the implementer signs in by a variable, keep that one by name: --clean-env --keep-env OPENAI_API_KEY.

Exit code: the implementer's own; 0 only for a clean exit with a success result; 1 failed without a code of its
own; 2 usage (nothing was made); 124 the preflight hung; 127 no executable; 128+n ended by signal n.

Examples:
  baton dispatch --brief brief.md --cd ~/project --timeout 30m
  baton dispatch --read-only --json < question.md | jq -r .finalMessage
  baton dispatch --lane mechanical --brief brief.md
  baton dispatch --resume-last --brief delta.md --touch 'src/**'
  baton dispatch --implementer codex --sandbox read-only --ephemeral < question.md
`;
//#endregion
//#region src/process-io.ts
init_environment();
const SIGNALS = [
	"SIGINT",
	"SIGTERM",
	"SIGHUP"
];
/** The real world of a command. Called once by an executable's entry. */
function processIo() {
	const { stdout, stderr } = process;
	for (const stream of [stdout, stderr]) stream.on("error", leaveOnClosedPipe);
	return {
		env: copyEnv(process.env),
		get stdin() {
			return process.stdin;
		},
		stdout,
		stderr,
		colour: wantsColour(),
		interruptible
	};
}
/** `baton … | head -1` closes our stdout, and a closed terminal takes stderr away: no reason for a stack trace. */
function leaveOnClosedPipe(error) {
	if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
}
function wantsColour() {
	if (process.env["NO_COLOR"]) return false;
	if (process.env["FORCE_COLOR"] && process.env["FORCE_COLOR"] !== "0") return true;
	return process.stdout.isTTY && process.env["TERM"] !== "dumb";
}
/** The third request is obeyed by the platform's default: nothing may make baton impossible to end. */
function interruptible() {
	const first = new AbortController();
	const second = new AbortController();
	const onSignal = (name) => {
		if (!first.signal.aborted) first.abort(name);
		else if (!second.signal.aborted) second.abort(name);
		else {
			for (const signal of SIGNALS) process.removeListener(signal, onSignal);
			process.kill(process.pid, name);
		}
	};
	for (const signal of SIGNALS) process.on(signal, onSignal);
	return {
		signal: first.signal,
		hurry: second.signal
	};
}
//#endregion
//#region src/codex-relay.ts
const io = processIo();
const command = quiet(new Command("codex-relay.mjs"), io);
configureDispatch(command, io, {
	implementer: "codex",
	outDir: join(tmpdir(), `codex-relay-${newRunId()}`)
}, (code) => process.exitCode = code);
process.exitCode = await parse(command, process.argv.slice(2), io) ?? process.exitCode ?? 0;
//#endregion
export {};

"""Templates: greetings, thanks and the little words between."""

COURTESY: dict[str, tuple[str, ...]] = {
    "open": (
        "hi, ", "hi ", "hello, ", "hello ", "hey, ", "hey ", "hi there, ", "hello there, ",
        "good morning, ", "good evening, ", "hi! ", "hello! ", "hey there! ", "hiya, ",
        "good afternoon, ", "sorry, ", "quick question, ", "hi again, ", "ok so ", "question: ",
        "excuse me, ", "one more question, ", "hi guys, ", "please help, ",
    ),
    "close": (
        "thanks", "thank you", "thanks!", "thx", "thank you!", "thanks in advance", "cheers",
        "many thanks", "please let me know", "pls advise", "thanks a lot", "sorry for asking again",
        "hope you can help", "i'm not sure", "not sure about this", "help please", ":)",
        "please answer soon", "i want to order today", "i need it for the weekend",
        "first time i order here", "appreciate your help", "ty", "it's a present",
    ),
    "lead": (
        "i really like the <color> <item>",
        "looking at the <color> <item> right now",
        "i'm thinking about the <item>",
        "saw the <item> in your newsletter",
        "need the <item> for [a wedding|a trip|work|the winter|school|a party|the gym]",
        "can't decide about the <item>",
        "the <color> <item> is in my basket already",
        "a friend told me about the <item>",
        "i don't understand the size chart",
        "ordering for the first time here",
        "the size chart confuses me",
        "i know you get this a lot",
        "sorry if this was asked before",
        "my old one is worn out",
        "it's a gift so i have to get it right",
    ),
    "and-also": ("also", "and", "oh and", "and also", "btw", "another thing,", "plus", "also,"),
    # Another matter of the same message; none speaks of the body, whose measures stand already.
    "go-on": (
        "<plain>", "<plain>", "<price>", "<delivery>", "<discount>", "<and-also> <price>",
        "<and-also> <delivery>", "<and-also> <discount>",
    ),
    "go-on-agent": ("<agent-plain>", "<agent-plain>", "<agent-order>"),
    "hello-agent": (
        "hello, ", "hi, ", "thank you for your message. ", "thanks for contacting us. ",
        "good morning, ", "hi there, ", "thanks for waiting. ", "happy to help! ", "sure! ",
        "of course. ", "thank you for reaching out. ", "good question! ", "let me check. ",
        "dear customer, ", "no problem. ",
    ),
    "bye-agent": (
        "have a nice day!", "let me know if you need anything else.", "is there anything else?",
        "hope that helps!", "thank you for your patience.", "please let me know what you decide.",
        "you're welcome.", "feel free to ask again.", "enjoy your order!",
        "you can return it for free if it doesn't fit.", "does that answer your question?",
        "sorry for the inconvenience.", "we look forward to your order.",
    ),
}  # fmt: skip
